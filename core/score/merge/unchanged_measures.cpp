#include "core/score/merge/unchanged_measures.hpp"

#include "core/score/merge/alignment.hpp"
#include "core/score/model/numbering.hpp"
#include "core/score/model/same_music.hpp"
#include "core/score/model/walk.hpp"

#include <algorithm>
#include <utility>

namespace fermata {

namespace {

/// What holds in the measures of a part; asked for in ascending order.
class running_state {
public:
  explicit running_state(const part& p) : part_(p) {}

  /// In front of the measure.
  const part_state& in_front(std::size_t m) {
    for (; at_ < m; ++at_)
      state_.apply(*part_.measures[at_]);
    return state_;
  }
  /// In it, its beginning included.
  part_state in(std::size_t m) {
    auto state = in_front(m);
    state.apply(*part_.measures[m], {});
    return state;
  }

private:
  const part& part_;
  std::size_t at_ = 0;
  part_state state_;
};

/// Other than in its number as measures in front come and go, and in what says the key that holds.
bool is_touched(const measure& a, const measure& b, const part_state& in_a,
                const part_state& in_b) {
  if (!same_body(a, b) || !(in_a == in_b)) return true;
  if (a.number != b.number && !(plain_number(a) && plain_number(b))) return true;
  auto x = opening_of(a), y = opening_of(b);
  return !(x.others == y.others && x.multiple_rest == y.multiple_rest && x.extra == y.extra);
}

/// Some measures of a part, by index.
struct measure_interval {
  std::size_t first, count;
  std::size_t end() const { return first + count; }
};

bool plays(const measure_replacement& r) {
  return std::any_of(r.before.begin(), r.before.end(), [](auto& m) { return has_notes(*m); });
}

/// The part without the measures `at` is the same as without as many from `to` on.
bool is_same_without(const part& p, measure_interval at, std::size_t to) {
  auto first = std::min(at.first, to), last = std::max(at.first, to);
  if (last + at.count > p.measures.size()) return false;
  running_state state{p}, behind{p};
  for (auto m = first; m < last; ++m) {
    auto &a = *p.measures[m], &b = *p.measures[m + at.count];
    if (!plain_number(a) || !plain_number(b) ||
        is_touched(a, b, state.in(m), behind.in(m + at.count)))
      return false;
  }
  return true;
}

/// By how much the number of each measure rises.
std::vector<int> rises_of(const part_change& change) {
  std::vector<int> all(change.measures_before);
  for (auto& n : change.renumbered)
    for (auto m = n.first; m < n.first + n.count; ++m)
      all[m] = n.by;
  return all;
}

/// A deletion, told as one of as many measures from `to` on.
void move_deletion(part_change& change, std::size_t which, std::size_t to, const part& p) {
  auto& r = change.measures[which];
  auto count = r.before.size(), from = r.first;
  auto was = rises_of(change), is = was;
  // What stays has the number of the one that would have stayed there.
  auto takes_number_of = [&](std::size_t m, std::size_t other) {
    is[m] = *plain_number(*p.measures[other]) + was[other] - *plain_number(*p.measures[m]);
  };
  for (auto m = to + count; m < from + count; ++m)
    takes_number_of(m, m - count);
  for (auto m = from; m < to; ++m)
    takes_number_of(m, m + count);
  r.first = to;
  for (std::size_t k = 0; k < count; ++k) {
    r.before[k] = p.measures[to + k];
    is[to + k] = 0;
  }
  // An insertion stays before a change at its place.
  std::stable_sort(change.measures.begin(), change.measures.end(),
                   [](auto& x, auto& y) { return x.first < y.first; });
  change.renumbered.clear();
  for (std::size_t m = 0; m < is.size(); ++m) {
    if (is[m] == 0) continue;
    auto& all = change.renumbered;
    if (!all.empty() && all.back().first + all.back().count == m && all.back().by == is[m])
      ++all.back().count;
    else
      all.push_back({m, 1, is[m]});
  }
}

}  // namespace

void put_deletions_together(std::vector<part_change>& changes, const score& s) {
  std::vector<measure_interval> known;
  for (auto& change : changes)
    for (auto& r : change.measures)
      if (r.after.empty() && plays(r)) known.push_back({r.first, r.before.size()});
  for (auto& change : changes) {
    if (change.index_before >= s.parts.size()) continue;
    auto& p = *s.parts[change.index_before];
    if (p.measures.size() != change.measures_before) continue;
    for (auto& there : known)
      for (std::size_t k = 0; k < change.measures.size(); ++k) {
        auto& r = change.measures[k];
        measure_interval at{r.first, r.before.size()};
        if (!r.after.empty() || at.count != there.count || plays(r)) continue;
        if (at.first == there.first) break;
        auto first = std::min(at.first, there.first), end = std::max(at.end(), there.end());
        auto is_free = std::none_of(change.measures.begin(), change.measures.end(), [&](auto& x) {
          return &x != &r && x.first <= end && first <= x.first + x.before.size();
        });
        if (!is_free || !is_same_without(p, at, there.first)) continue;
        move_deletion(change, k, there.first, p);
        break;
      }
  }
}

part_change without_unchanged(const part_change& change, const part& before, const part& after) {
  auto rest = change;
  rest.measures.clear();
  running_state state_before{before}, state_after{after};
  std::ptrdiff_t shift = 0;
  for (auto& r : change.measures) {
    auto first_after = r.first + static_cast<std::size_t>(shift);
    // As many on both sides are replaced in their places.
    std::vector<std::pair<std::size_t, std::size_t>> same;
    if (r.before.size() != r.after.size())
      same = same_measures(r.before, r.after, state_before.in_front(r.first),
                           state_after.in_front(first_after));
    else
      for (std::size_t m = 0; m < r.before.size(); ++m)
        same.emplace_back(m, m);
    std::erase_if(same, [&](auto& pair) {
      auto [i, j] = pair;
      return is_touched(*r.before[i], *r.after[j], state_before.in(r.first + i),
                        state_after.in(first_after + j));
    });
    std::size_t i = 0, j = 0;
    auto add_until = [&](std::size_t i_end, std::size_t j_end) {
      auto piece = [](const auto& all, std::size_t from, std::size_t to) {
        return std::vector(all.begin() + static_cast<std::ptrdiff_t>(from),
                           all.begin() + static_cast<std::ptrdiff_t>(to));
      };
      if (i < i_end || j < j_end)
        rest.measures.push_back({r.first + i, piece(r.before, i, i_end), piece(r.after, j, j_end)});
    };
    for (auto [same_i, same_j] : same) {
      add_until(same_i, same_j);
      auto was = plain_number(*r.before[same_i]), is = plain_number(*r.after[same_j]);
      if (was && is && *was != *is) rest.renumbered.push_back({r.first + same_i, 1, *is - *was});
      i = same_i + 1;
      j = same_j + 1;
    }
    add_until(r.before.size(), r.after.size());
    shift += std::ssize(r.after) - std::ssize(r.before);
  }
  std::sort(rest.renumbered.begin(), rest.renumbered.end(),
            [](auto& x, auto& y) { return x.first < y.first; });
  return rest;
}

}  // namespace fermata
