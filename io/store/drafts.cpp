#include "io/store/drafts.hpp"

#include "core/session/slug.hpp"
#include "io/store/file.hpp"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <optional>
#include <string>
#include <vector>

namespace fermata::io {

namespace {

/// What the name of a draft says; `rest` is what stands behind the process.
struct draft_name {
  std::string_view target, rest;
  pid_t process = 0;
};

/// `.NAME-PROCESS`, with `rest` from the first sign that is no digit.
std::optional<draft_name> read_draft_name(std::string_view name, std::size_t hyphen) {
  if (name.size() < 2 || name.front() != '.' || hyphen >= name.size()) return std::nullopt;
  draft_name draft;
  draft.target = name.substr(1, hyphen - 1);
  auto end = name.data() + name.size();
  auto [stop, fault] = std::from_chars(name.data() + hyphen + 1, end, draft.process);
  if (fault != std::errc{} || draft.process <= 0) return std::nullopt;
  draft.rest = {stop, static_cast<std::size_t>(end - stop)};
  return draft;
}

bool has_ended(pid_t process) { return ::kill(process, 0) != 0 && errno == ESRCH; }

/// What libzip writes to before it is done: six signs of its own behind the name.
bool is_of_zip(std::string_view rest) {
  return rest.size() == 7 && rest.front() == '.' &&
         std::all_of(rest.begin() + 1, rest.end(), [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
         });
}

template <class F>
void remove_those(const std::filesystem::path& folder, F is_dead) {
  std::error_code failed;
  std::vector<std::filesystem::path> dead;
  for (auto& item : std::filesystem::directory_iterator{folder, failed})
    if (is_dead(item)) dead.push_back(item.path());
  for (auto& path : dead)
    std::filesystem::remove_all(path, failed);
}

}  // namespace

std::filesystem::path draft_of(const std::filesystem::path& target) {
  return target.parent_path() /
         ("." + target.filename().string() + '-' + std::to_string(::getpid()));
}

void remove_dead_drafts(const std::filesystem::path& folder) {
  remove_those(folder, [](auto& item) {
    auto name = item.path().filename().string();
    std::string_view text = name;
    if (text.ends_with(unpacked_draft)) text.remove_suffix(unpacked_draft.size());
    auto draft = read_draft_name(text, text.rfind('-'));
    std::error_code failed;
    return draft && draft->rest.empty() && !draft->target.empty() &&
           slug_of(draft->target) == draft->target && has_ended(draft->process) &&
           std::filesystem::is_directory(item.symlink_status(failed));
  });
}

void remove_dead_drafts_of(const std::filesystem::path& target) {
  auto wanted = target.filename().string();
  remove_those(above_of(target), [&](auto& item) {
    auto name = item.path().filename().string();
    auto draft = read_draft_name(name, wanted.size() + 1);
    std::error_code failed;
    return draft && draft->target == wanted && name[wanted.size() + 1] == '-' &&
           (draft->rest.empty() || is_of_zip(draft->rest)) && has_ended(draft->process) &&
           std::filesystem::is_regular_file(item.symlink_status(failed));
  });
}

}  // namespace fermata::io
