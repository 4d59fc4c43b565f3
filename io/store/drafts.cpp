#include "io/store/drafts.hpp"

#include "core/session/timeline/slug.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fermata::io {

namespace {

constexpr std::string_view draft_mark = ".draft-";
constexpr std::size_t random_signs = 6;  // of mkdtemp

/// What `.NAME.draft-XXXXXX` is a draft of; empty: it is none.
std::string_view target_of_draft(std::string_view name) {
  auto mark = name.rfind(draft_mark);
  if (mark == name.npos || mark < 2 || name.front() != '.') return {};
  auto random = name.substr(mark + draft_mark.size());
  auto is_sign = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  };
  if (random.size() != random_signs || !std::all_of(random.begin(), random.end(), is_sign))
    return {};
  return name.substr(1, mark - 1);
}

/// What `.NAME-PID` of an older version was a draft of, and whose; nothing: it is none.
struct old_draft {
  std::string_view target;
  pid_t process = 0;
};
std::optional<old_draft> old_draft_of(std::string_view name) {
  auto mark = name.rfind('-');
  if (mark == name.npos || mark < 2 || name.front() != '.') return std::nullopt;
  old_draft draft{name.substr(1, mark - 1)};
  auto digits = name.substr(mark + 1);
  auto [end, wrong] = std::from_chars(digits.data(), digits.data() + digits.size(), draft.process);
  if (wrong != std::errc{} || end != digits.data() + digits.size() || draft.process < 1)
    return std::nullopt;
  return draft;
}

bool is_dead(pid_t process) { return ::kill(process, 0) != 0 && errno == ESRCH; }

/// Whether there is nothing in a folder but what a session is made of, and nobody holds its lock.
bool holds_only_a_session(const std::filesystem::path& folder) {
  constexpr std::string_view names[] = {"history.jsonl", "checkpoint.json", "env.json",
                                        "score.ferm",    "meta.json",       "history.index",
                                        "journal.lock"};
  std::error_code failed;
  for (auto& item : std::filesystem::directory_iterator{folder, failed}) {
    auto name = item.path().filename().string();
    if (std::find(std::begin(names), std::end(names), name) == std::end(names)) return false;
    if (!item.is_regular_file(failed)) return false;
  }
  file_descriptor lock{::open((folder / "journal.lock").c_str(), O_RDONLY | O_CLOEXEC)};
  return !failed && (!lock || ::flock(lock.get(), LOCK_EX | LOCK_NB) == 0);
}

file_descriptor opened_folder(const std::filesystem::path& path) {
  return file_descriptor{::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)};
}

bool is_still_at(const std::filesystem::path& path, const file_descriptor& folder) {
  struct stat ours {
  }, there{};
  return ::fstat(folder.get(), &ours) == 0 && ::lstat(path.c_str(), &there) == 0 &&
         ours.st_ino == there.st_ino && ours.st_dev == there.st_dev;
}

void remove_unless_held(const std::filesystem::path& path) {
  auto lock = opened_folder(path);
  if (!lock || ::flock(lock.get(), LOCK_EX | LOCK_NB) != 0) return;
  // It may have been finished between the two: then another thing is under this name, or none.
  std::error_code failed;
  if (is_still_at(path, lock)) std::filesystem::remove_all(path, failed);
}

template <class F>
void remove_those(const std::filesystem::path& folder, F is_wanted) {
  std::error_code failed;
  std::vector<std::filesystem::path> drafts;
  for (auto& item : std::filesystem::directory_iterator{folder, failed})
    if (is_wanted(item.path())) drafts.push_back(item.path());
  for (auto& path : drafts)
    remove_unless_held(path);
}

}  // namespace

result<draft_folder> draft_folder::beside(const std::filesystem::path& target) {
  if (auto made = make_private_folder(parent_folder(target)); !made) return fail(made.error());
  constexpr int attempts = 10;
  for (int n = 0; n < attempts; ++n) {
    auto name = (target.parent_path() / ("." + target.filename().string())).string() +
                std::string{draft_mark} + std::string(random_signs, 'X');
    if (!::mkdtemp(name.data())) return fail(write_error("cannot create", target, errno));
    std::filesystem::path path{name};
    auto lock = opened_folder(path);
    auto is_ours = lock && ::flock(lock.get(), LOCK_EX) == 0;
    auto code = errno;
    // Before it was locked, somebody who cleans up may have taken it for one that was left.
    if (is_ours && is_still_at(path, lock)) return draft_folder{std::move(path), std::move(lock)};
    if (!is_ours && code != ENOENT) {
      ::rmdir(path.c_str());
      return fail(write_error("cannot lock", path, code));
    }
  }
  return fail(write_error("cannot create", target, EAGAIN));
}

draft_folder::~draft_folder() {
  std::error_code failed;
  if (!path_.empty()) std::filesystem::remove_all(path_, failed);
}

void remove_dead_drafts(const std::filesystem::path& folder) {
  auto is_slug = [](std::string_view text) { return slug_of(text) == text; };
  remove_those(folder, [&](const std::filesystem::path& path) {
    auto name = path.filename().string();
    if (auto target = target_of_draft(name); !target.empty()) return is_slug(target);
    auto old = old_draft_of(name);
    return old && is_slug(old->target) && is_dead(old->process) && holds_only_a_session(path);
  });
}

void remove_dead_drafts_of(const std::filesystem::path& target) {
  auto wanted = target.filename().string();
  remove_those(parent_folder(target), [&](const std::filesystem::path& path) {
    return target_of_draft(path.filename().string()) == wanted;
  });
}

}  // namespace fermata::io
