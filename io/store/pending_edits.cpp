#include "io/store/pending_edits.hpp"

#include "io/store/checkpoint.hpp"
#include "io/store/file.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

namespace fermata::io {

namespace {

constexpr std::string_view newest_stem = "score.edited", score_ending = ".ferm",
                           branch_ending = ".branch";

std::string stem_of(int number) {
  auto stem = std::string{newest_stem};
  return number == 0 ? stem : stem + '-' + std::to_string(number);
}

std::filesystem::path branch_file(const std::filesystem::path& folder, std::string_view name) {
  auto stem = name.substr(0, name.size() - score_ending.size());
  return folder / (std::string{stem} + std::string{branch_ending});
}

/// The N of `score.edited-N` with this ending; 0 for the newest. Nothing: it is no such file.
std::optional<int> number_of(std::string_view name, std::string_view ending) {
  if (!name.starts_with(newest_stem) || !name.ends_with(ending)) return std::nullopt;
  name.remove_prefix(newest_stem.size());
  if (name.size() < ending.size()) return std::nullopt;
  name.remove_suffix(ending.size());
  if (name.empty()) return 0;
  int number = 0;
  auto [end, wrong] = std::from_chars(name.data() + 1, name.data() + name.size(), number);
  if (name.front() != '-' || wrong != std::errc{} || end != name.data() + name.size() ||
      number < 1 || name != '-' + std::to_string(number))
    return std::nullopt;
  return number;
}

/// The numbers of the files with this ending, the newest first.
std::vector<int> numbers_in(const std::filesystem::path& folder, std::string_view ending) {
  std::vector<int> numbers;
  std::error_code failed;
  for (auto& item : std::filesystem::directory_iterator{folder, failed})
    if (auto n = number_of(item.path().filename().string(), ending)) numbers.push_back(*n);
  // 0 is newer than all others.
  std::sort(numbers.begin(), numbers.end(),
            [](int a, int b) { return a == 0 || b == 0 ? a == 0 && b != 0 : a > b; });
  return numbers;
}

void remove_score(const std::filesystem::path& folder, const std::string& name) {
  std::error_code failed;
  // The score first: it is never there without its branch.
  std::filesystem::remove(folder / name, failed);
  if (!failed) std::filesystem::remove(branch_file(folder, name), failed);
}

/// Makes room for a newer one. A branch that was left behind belongs to no other score.
result<std::string> move_aside(const std::filesystem::path& folder, const pending_edit& old) {
  auto taken = numbers_in(folder, score_ending), left = numbers_in(folder, branch_ending);
  taken.insert(taken.end(), left.begin(), left.end());
  auto number = taken.empty() ? 1 : *std::max_element(taken.begin(), taken.end()) + 1;
  auto name = stem_of(number) + std::string{score_ending};
  if (!old.branch.empty())
    if (auto done = replace_file(branch_file(folder, name), old.branch); !done)
      return fail(done.error());
  std::error_code failed;
  std::filesystem::rename(folder / old.name, folder / name, failed);
  if (failed) return fail(write_error("cannot move", folder / old.name, failed.value()));
  return name;
}

}  // namespace

std::vector<pending_edit> pending_edits(const std::filesystem::path& folder) {
  std::vector<pending_edit> found;
  for (auto number : numbers_in(folder, score_ending)) {
    auto name = stem_of(number) + std::string{score_ending};
    auto branch = read_file(branch_file(folder, name));
    found.push_back({name, branch ? *branch : std::string{}});
  }
  return found;
}

result<kept_score> keep_score(const std::filesystem::path& folder, std::string_view text,
                              const std::string& branch, std::string_view follows) {
  auto waiting = pending_edits(folder);
  kept_score kept{std::string{newest_score_name}, {}};
  if (!waiting.empty() && waiting.front().name == kept.name) {
    auto& old = waiting.front();
    auto old_text = read_file(folder / old.name);
    auto same_branch = old.branch == branch;
    if (same_branch && old_text && *old_text == text) return kept;
    if (!(same_branch && old_text && !follows.empty() && score_text_hash(*old_text) == follows)) {
      auto name = move_aside(folder, old);
      if (!name) return fail(name.error());
      kept.moved = "What was waiting there is now in " + *name + ": `:reload` " +
                   (same_branch || old.branch.empty() ? "loads it after this one."
                                                      : "loads it on branch " + old.branch + '.');
    }
  }
  // Before the score itself, which is never there without it, nor with that of another.
  auto beside = branch_file(folder, kept.name);
  std::error_code failed;
  if (branch.empty())
    std::filesystem::remove(beside, failed);
  else if (auto done = replace_file(beside, branch); !done)
    return fail(done.error());
  if (auto done = replace_file(folder / kept.name, text); !done) return fail(done.error());
  for (auto& other : waiting)
    if (other.name != kept.name && other.branch == branch)
      if (auto same = read_file(folder / other.name); same && *same == text)
        remove_score(folder, other.name);
  return kept;
}

result<offered_score> offered_score_of(const std::filesystem::path& folder,
                                       const std::string& current,
                                       const std::set<std::string>& branches) {
  auto waiting = pending_edits(folder);
  if (waiting.empty())
    return fail({errc::no_such_target, "score.ferm has not been edited outside Fermata",
                 std::nullopt, "It is " + (folder / "score.ferm").string() + '.'});
  auto goes_here = [&](const pending_edit& w) {
    return w.branch.empty() || w.branch == current || !branches.contains(w.branch);
  };
  auto offered = std::find_if(waiting.begin(), waiting.end(), goes_here);
  if (offered == waiting.end()) {
    auto& branch = waiting.front().branch;
    return fail({errc::no_such_target,
                 "score.ferm was edited when it held the score of branch " + branch +
                     ", but the current branch is " + current,
                 std::nullopt,
                 "`:switch-branch " + branch + "` switches to it, then `:reload` loads it."});
  }
  auto text = read_file(folder / offered->name);
  if (!text) return fail(text.error());
  offered_score found{std::move(*text), *offered, {}};
  waiting.erase(offered);
  // Those that are taken here as well come first; what is of this branch any more is said of none.
  std::stable_partition(waiting.begin(), waiting.end(), goes_here);
  for (auto& w : waiting)
    if (goes_here(w)) w.branch.clear();
  found.others = std::move(waiting);
  return found;
}

void forget_score(const std::filesystem::path& folder, const offered_score& taken) {
  for (auto& w : pending_edits(folder)) {
    if (w.branch != taken.file.branch) continue;
    if (auto text = read_file(folder / w.name); text && *text == taken.text)
      return remove_score(folder, w.name);
  }
}

}  // namespace fermata::io
