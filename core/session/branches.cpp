#include "core/session/branches.hpp"

#include "core/score/wording.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>

namespace fermata {

namespace {

/// The part with this id; of several with the same one, the n-th.
part_ptr part_like(const score& s, const std::string& id, std::size_t nth) {
  for (auto& p : s.parts)
    if (p->id == id && nth-- == 0) return p;
  return nullptr;
}

/// How many parts before this one have its id.
std::size_t nth_of_its_id(const score& s, std::size_t index) {
  return static_cast<std::size_t>(
      std::count_if(s.parts.begin(), s.parts.begin() + static_cast<std::ptrdiff_t>(index),
                    [&](auto& p) { return p->id == s.parts[index]->id; }));
}

measure_ptr measure_at(const part_ptr& p, std::size_t index) {
  return p && index < p->measures.size() ? p->measures[index] : nullptr;
}

bool differ(const measure_ptr& a, const measure_ptr& b) { return !a || !b || *a != *b; }

std::size_t longest_part(const score& s) {
  std::size_t longest = 0;
  for (auto& p : s.parts)
    longest = std::max(longest, p->measures.size());
  return longest;
}

/// "3", "5-7": numbers in ascending order.
std::vector<std::string> ranges_of(const std::set<std::size_t>& indices) {
  std::vector<std::string> ranges;
  for (auto it = indices.begin(); it != indices.end();) {
    auto first = *it, last = first;
    while (++it != indices.end() && *it == last + 1)
      last = *it;
    ranges.push_back(std::to_string(first + 1) +
                     (last > first ? '-' + std::to_string(last + 1) : ""));
  }
  return ranges;
}

std::string in_words(const std::set<std::size_t>& indices) {
  return fmt::format("{} {}", indices.size() > 1 ? "measures" : "measure",
                     fmt::join(ranges_of(indices), ", "));
}

/// Where a branch and those it came from left their parents, the nearest first.
std::vector<const branch*> ancestry(const session_state& s, std::string_view name) {
  std::vector<const branch*> line;
  for (auto b = find_branch(s, name); b; b = find_branch(s, b->parent))
    line.push_back(b);
  return line;
}

}  // namespace

std::string branch_at(const session_state& s, std::int64_t entry) {
  std::string name = s.branches.empty() ? s.branch : s.branches.front().name;
  for (auto& move : s.branch_moves) {
    if (move.entry > entry) break;
    name = move.to;
  }
  return name;
}

result<past_state> state_after(const session_state& s, std::int64_t entry) {
  if (entry < 0 || entry > s.history.size())
    return fail({errc::no_such_entry,
                 "there is no entry " + std::to_string(entry) + "; the last one is " +
                     std::to_string(s.history.size()),
                 std::nullopt, "`:history` shows them."});
  past_state past{s.score, s.env};
  for (auto i = s.history.size(); i > entry; --i) {
    auto e = s.history.at(i);
    if (auto system = std::get_if<system_entry>(&e->kind); system && system->event == "unreadable")
      return fail({errc::no_such_entry, system->text, std::nullopt,
                   "What came before it cannot be found by taking back."});
    if (auto delta = delta_of(*e); delta && !delta->empty()) {
      auto before = applied(inverted(*delta), past.score);
      if (!before) return fail(before.error());
      past.score = std::move(*before);
    }
    if (auto change = env_change_of(*e); change && !change->empty())
      past.env = applied(inverted(*change), past.env);
  }
  return past;
}

std::vector<entry_stretch> lineage(const session_state& s) {
  std::vector<entry_stretch> line;
  auto last = s.history.size();
  auto moves = s.branch_moves.size();  // those that lie at or before `last`
  while (last >= 1) {
    while (moves > 0 && s.branch_moves[moves - 1].entry > last)
      --moves;
    auto name = branch_at(s, last);
    auto first = moves > 0 ? s.branch_moves[moves - 1].entry + 1 : 1;
    if (first <= last) line.push_back({first, last, name});
    if (moves == 0) break;
    // Where this branch was left last before it was entered here; else where it began.
    auto left = moves - 1;
    while (left > 0 && branch_at(s, s.branch_moves[left - 1].entry - 1) != name)
      --left;
    if (left > 0) {
      last = s.branch_moves[left - 1].entry - 1;
    } else {
      auto b = find_branch(s, name);
      last = b ? b->from : 0;
    }
  }
  return line;
}

score_ptr common_base(const session_state& s, const branch& other) {
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

result<merge_outcome> merged(const session_state& s, const branch& other,
                             std::optional<std::pair<int, int>> measures, bool theirs_always) {
  auto longest = longest_part(*other.score);
  if (measures && static_cast<std::size_t>(measures->second) > longest)
    return fail({errc::no_such_target,
                 "measure " + std::to_string(measures->second) + " is not there; " + other.name +
                     " has " + std::to_string(longest) + (longest == 1 ? " measure" : " measures"),
                 std::nullopt,
                 "Measures are counted from 1, as they stand in " + other.name + '.'});
  auto from = measures ? static_cast<std::size_t>(measures->first - 1) : 0;
  auto to = measures ? static_cast<std::size_t>(measures->second) : longest;
  auto base = common_base(s, other);

  merge_outcome outcome;
  auto score = std::make_shared<fermata::score>(*s.score);
  std::set<std::size_t> taken, kept, conflicts, gaps;
  for (std::size_t i = 0; i < other.score->parts.size(); ++i) {
    auto& theirs = other.score->parts[i];
    auto nth = nth_of_its_id(*other.score, i);
    auto ours = part_like(*s.score, theirs->id, nth), common = part_like(*base, theirs->id, nth);
    if (!ours) {
      if (!measures && !common) {
        score->parts.push_back(theirs);
        outcome.whole_parts.push_back(part_label(*theirs));
      } else {
        outcome.left_out.push_back(part_label(*theirs));
      }
      continue;
    }
    auto changed = std::make_shared<part>(*ours);
    for (auto m = from; m < std::min(to, theirs->measures.size()); ++m) {
      auto there = measure_at(theirs, m), here = measure_at(ours, m), was = measure_at(common, m);
      if (here && *here == *there) continue;
      auto we_changed = differ(here, was) && (here || was), they_changed = differ(there, was);
      if (!theirs_always && we_changed && they_changed)
        conflicts.insert(m);
      else if (!theirs_always && !they_changed)
        kept.insert(m);
      else if (m > changed->measures.size())
        gaps.insert(m);
      else {
        taken.insert(m);
        if (m == changed->measures.size())
          changed->measures.push_back(there);
        else
          changed->measures.set(m, there);
      }
    }
    auto place = std::find(score->parts.begin(), score->parts.end(), ours);
    if (place != score->parts.end()) *place = std::move(changed);
  }
  if (!conflicts.empty()) {
    std::vector<std::string> commands;
    for (auto& range : ranges_of(conflicts))
      commands.push_back(fmt::format("`:merge {} {} --theirs`", other.name, range));
    return fail(
        {errc::no_such_target, in_words(conflicts) + " changed on both branches since they parted",
         std::nullopt,
         fmt::format("`:diff {} {}` shows both; {} {} there.", s.branch, other.name,
                     fmt::join(commands, " and "),
                     conflicts.size() > 1 ? "take them as they are" : "takes it as it is")});
  }
  if (!gaps.empty())
    return fail({errc::out_of_range,
                 "measure " + std::to_string(*gaps.begin() + 1) +
                     " cannot be taken: the score here ends before the one in front of it",
                 std::nullopt, "Take the measures before it as well."});
  if (diff_snapshots(s.score, score).empty())
    return fail({errc::no_such_target,
                 "there is nothing to take from " + other.name +
                     (kept.empty() ? std::string{": these measures are the same here"}
                                   : ": " + in_words(kept) + " changed here only"),
                 std::nullopt,
                 kept.empty() ? std::string{} : "With --theirs they become as they are there."});
  outcome.score = std::move(score);
  outcome.taken = taken.size();
  outcome.kept = kept.size();
  return outcome;
}

score_ptr with_common_measures(const score_ptr& base, const score& a, const score& b,
                               std::pair<int, int> measures) {
  auto result = std::make_shared<score>(*base);
  for (std::size_t i = 0; i < a.parts.size(); ++i) {
    auto& source = a.parts[i];
    auto nth = nth_of_its_id(a, i);
    auto other = part_like(b, source->id, nth), target = part_like(*result, source->id, nth);
    if (!other || !target) continue;
    auto changed = std::make_shared<part>(*target);
    auto to = std::min(static_cast<std::size_t>(measures.second), source->measures.size());
    for (auto m = static_cast<std::size_t>(measures.first - 1); m < to; ++m) {
      if (differ(source->measures[m], measure_at(other, m))) continue;
      if (m < changed->measures.size())
        changed->measures.set(m, source->measures[m]);
      else if (m == changed->measures.size())
        changed->measures.push_back(source->measures[m]);
    }
    *std::find(result->parts.begin(), result->parts.end(), target) = std::move(changed);
  }
  return result;
}

bool is_branch_name(std::string_view text) {
  constexpr std::size_t longest = 64;
  auto good = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_' || c == '.' || static_cast<unsigned char>(c) >= 0x80;
  };
  return !text.empty() && text.size() <= longest && text.front() != '-' &&
         std::all_of(text.begin(), text.end(), good) &&
         text.find_first_not_of("0123456789") != text.npos;
}

}  // namespace fermata
