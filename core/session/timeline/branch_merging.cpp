#include "core/session/timeline/branch_merging.hpp"

#include "core/score/merge/alignment.hpp"
#include "core/score/model/delta.hpp"
#include "core/score/model/measure_names.hpp"
#include "core/session/timeline/branches.hpp"
#include "core/session/timeline/event.hpp"
#include "core/session/timeline/measure_range.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace fermata {

namespace {

using range = std::pair<std::size_t, std::size_t>;  // [first, end)

/// "3", "5-7", as the score calls them; ranges that touch are one.
std::vector<std::string> range_texts(std::vector<range> ranges, const score& s) {
  std::sort(ranges.begin(), ranges.end());
  std::vector<range> joined;
  for (auto& r : ranges)
    if (!joined.empty() && r.first <= joined.back().second)
      joined.back().second = std::max(joined.back().second, r.second);
    else
      joined.push_back(r);
  std::vector<std::string> texts;
  for (auto& [first, end] : joined)
    texts.push_back(printed_number(s, first) +
                    (end > first + 1 ? '-' + printed_number(s, end - 1) : ""));
  return texts;
}

std::string in_words(const std::vector<range>& ranges, const score& s) {
  auto one = ranges.size() == 1 && ranges[0].second == ranges[0].first + 1;
  return fmt::format("{} {}", one ? "measure" : "measures",
                     fmt::join(range_texts(ranges, s), ", "));
}

std::string in_a_row(const std::vector<std::string>& sentences, std::string_view separator) {
  return fmt::format("{}", fmt::join(sentences, separator));
}

error conflict_error(const session_state& s, const branch& other, const merged_score& m) {
  // Each kind in one sentence: numbers that are the same on both sides, others, and what is on one
  // side only.
  std::vector<range> both, moved_here, moved_there, only_here, only_there, theirs;
  auto advisable = m.other_conflicts.empty();
  for (auto& c : m.conflicts) {
    range here{c.ours, c.ours_end}, there{c.theirs, c.theirs_end};
    if (c.theirs == c.theirs_end) {
      only_here.push_back(here);
      advisable = false;
      continue;
    }
    auto to_take = there;
    for (auto& [first, end] : m.inseparable)
      if (first < there.second && there.first < end)
        to_take = {std::min(to_take.first, first), std::max(to_take.second, end)};
    theirs.push_back(to_take);
    if (c.ours == c.ours_end) {
      only_there.push_back(there);
    } else if (here == there) {
      both.push_back(here);
    } else {
      moved_here.push_back(here);
      moved_there.push_back(there);
    }
  }
  std::vector<std::string> what;
  if (!both.empty()) what.push_back(in_words(both, *s.score) + " changed on both branches");
  if (!moved_here.empty())
    what.push_back(in_words(moved_here, *s.score) + " here and " +
                   in_words(moved_there, *other.score) + " of " + other.name +
                   " are the same measures, and both branches changed them");
  if (!only_here.empty())
    what.push_back(in_words(only_here, *s.score) + " changed here, deleted in " + other.name);
  if (!only_there.empty())
    what.push_back(in_words(only_there, *other.score) + " of " + other.name +
                   " changed there, deleted here");
  if (!m.other_conflicts.empty())
    what.push_back(in_a_row(m.other_conflicts, ", ") + " changed on both branches");
  std::vector<std::string> commands;
  for (auto& text : range_texts(theirs, *other.score))
    commands.push_back(fmt::format("`:merge {} {} --theirs`", other.name, text));
  if (!advisable) commands = {"`:merge " + other.name + " --theirs`"};
  auto several = commands.size() > 1 || m.conflicts.size() + m.other_conflicts.size() > 1;
  return {errc::no_such_target, in_a_row(what, "; "), std::nullopt,
          fmt::format("`:diff {} {}` shows both versions; {} {} from there.", s.branch, other.name,
                      fmt::join(commands, " and "),
                      commands.size() > 1 ? "take them"
                      : several           ? "takes them"
                                          : "takes it")};
}

error nothing_to_take(const session_state& s, const branch& other, const merged_score& m) {
  std::vector<range> kept;
  for (auto i : m.kept)
    kept.emplace_back(i, i + 1);
  auto why = kept.empty() ? std::string{"these measures are the same on both branches"}
                          : in_words(kept, *s.score) + " changed here only";
  for (auto& part : m.parts_left_out)
    why += "; part " + part + " can only be merged with all of " + other.name + ", not by measure";
  error nothing{errc::no_such_target, "nothing to merge from " + other.name + ": " + why};
  if (!m.gone_beside.empty()) {
    std::vector<range> gone;
    for (auto i : m.gone_beside)
      gone.emplace_back(i, i + 1);
    nothing.diagnostics.front().hint =
        "Deleted in " + other.name + ": " + in_words(gone, *s.score) +
        ", as numbered here; include the measures around it to merge the deletion.";
  }
  return nothing;
}

/// Where a branch and those it came from left their parents, the nearest first.
std::vector<const branch*> ancestry(const session_state& s, std::string_view name) {
  std::vector<const branch*> line;
  for (auto b = find_branch(s, name); b; b = find_branch(s, b->parent))
    line.push_back(b);
  return line;
}

score_ptr where_they_parted(const session_state& s, const branch& other) {
  auto here = ancestry(s, s.branch), there = ancestry(s, other.name);
  // From the first branch down, as long as both lines are the same.
  while (!here.empty() && !there.empty() && here.back() == there.back()) {
    here.pop_back();
    there.pop_back();
  }
  auto ours = here.empty() ? nullptr : here.back(), theirs = there.empty() ? nullptr : there.back();
  if (!ours || (theirs && theirs->from < ours->from)) std::swap(ours, theirs);
  return ours ? ours->base : empty_score();
}

std::string counted(std::size_t n, const std::string& what) {
  return std::to_string(n) + ' ' + what + (n == 1 ? "" : "s");
}

}  // namespace

bool is_between(const branch_merge& m, std::string_view a, std::string_view b) {
  return (m.into == a && m.from == b) || (m.into == b && m.from == a);
}

score_ptr common_base(const session_state& s, const branch& other) {
  score_ptr common;
  for (auto& m : s.merges) {
    if (!is_between(m, s.branch, other.name)) continue;
    if (m.taken_back) break;
    common = m.common;
  }
  return common ? common : where_they_parted(s, other);
}

score_ptr common_after_merge(const score_ptr& base, const score_ptr& theirs, int first, int last) {
  if (last == branch_merged::all_measures) return theirs;
  merge_request request;
  request.measures = {static_cast<std::size_t>(first - 1), static_cast<std::size_t>(last)};
  auto common = merge_scores(base, base, theirs, request);
  return common ? common->score : base;
}

result<merge_request> measures_to_merge(std::string_view text, const score& theirs,
                                        const score& ours) {
  auto longest = columns_of(theirs);
  auto as_indices = [](const std::pair<int, int>& places, std::size_t end) {
    return std::pair{static_cast<std::size_t>(places.first - 1),
                     places.second == to_the_end
                         ? std::max<std::size_t>(end, static_cast<std::size_t>(places.first))
                         : static_cast<std::size_t>(places.second)};
  };
  merge_request request;
  auto there = parse_measures(text, theirs);
  if (there) request.measures = as_indices(*there, longest);
  if (there && request.measures->second <= longest) return request;
  // Each end by itself: what is not there may be here, and have gone there.
  auto failure = there ? result<merge_request>{request} : fail(there.error());
  auto middle = text.find_first_of("-:");
  auto first = text.substr(0, middle), last = middle == text.npos ? first : text.substr(middle + 1);
  request.measures = {0, longest};
  auto look = [&](std::string_view number, std::size_t& end, bool is_last, auto& gone) {
    if (number.empty()) return true;
    if (auto found = parse_measure_numbers(number, theirs);
        found && as_indices(*found, longest).second <= longest) {
      end = as_indices(*found, longest).first + (is_last ? 1 : 0);
      return true;
    }
    auto found = parse_measure_numbers(number, ours);
    if (!found || static_cast<std::size_t>(found->second) > columns_of(ours)) return false;
    gone = static_cast<std::size_t>(found->first - 1);
    return true;
  };
  if (look(first, request.measures->first, false, request.gone_first) &&
      look(last, request.measures->second, true, request.gone_last))
    return request;
  return failure;
}

result<merged_score> merged(const session_state& s, const branch& other,
                            const merge_request& request) {
  if (request.measures && request.measures->second > columns_of(*other.score))
    return fail({errc::no_such_target,
                 "measure " + printed_number(*other.score, request.measures->second - 1) +
                     " does not exist; " + other.name + " has " + measures_there(*other.score)});
  auto done = merge_scores(common_base(s, other), s.score, other.score, request);
  if (!done) return fail(done.error());
  if (!done->conflicts.empty() || !done->other_conflicts.empty())
    return fail(conflict_error(s, other, *done));
  if (diff_snapshots(s.score, done->score).empty()) return fail(nothing_to_take(s, other, *done));
  return done;
}

std::string merge_report(const merged_score& m, const std::string& from) {
  std::vector<std::string> what;
  if (m.taken > 0) what.push_back(counted(m.taken, "measure"));
  if (m.deleted > 0) what.push_back(counted(m.deleted, "deletion"));
  for (auto& p : m.parts_added)
    what.push_back("part " + p);
  for (auto& p : m.parts_removed)
    what.push_back("the removal of part " + p);
  what.insert(what.end(), m.texts.begin(), m.texts.end());
  if (what.empty()) what.push_back("0 measures");
  auto last = what.back();
  what.pop_back();
  auto text =
      "merged " + (what.empty() ? "" : in_a_row(what, ", ") + " and ") + last + " from " + from;
  if (!m.kept.empty())
    text += "; " + std::to_string(m.kept.size()) + " changed only here and stay" +
            (m.kept.size() == 1 ? "s" : "");
  for (auto& sentence : m.repaired)
    text += '\n' + sentence;
  for (auto& p : m.parts_left_out)
    text += "\npart " + p + " does not exist in this score and was skipped";
  return text;
}

}  // namespace fermata
