#pragma once

#include "core/score/analysis/sounding.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace fermata::midi {

/// Something that changes at a place of the written score: a tempo, a key, the pedal.
template <class T>
struct written_change {
  std::size_t measure = 0;
  measure_position at;
  T value;
};

/// By place; what stands at one place keeps its order.
template <class T>
void sort_by_place(std::vector<written_change<T>>& changes) {
  std::stable_sort(changes.begin(), changes.end(), [](auto& a, auto& b) {
    return a.measure != b.measure ? a.measure < b.measure : a.at < b.at;
  });
}

/// Calls `tell(played, unfolded time, change)` for each change as often as its measure is played.
/// After a jump the change in force before the measure is told first, so that a repeat is played
/// as the first time. `changes` are sorted.
template <class T, class Tell>
void unfold_changes(const std::vector<written_change<T>>& changes, const unfolded_time& time,
                    Tell&& tell) {
  auto before = [](const written_change<T>& c, std::size_t m) { return c.measure < m; };
  for (std::size_t k = 0; k < time.order.size(); ++k) {
    auto& played = time.order[k];
    auto next = std::lower_bound(changes.begin(), changes.end(), played.measure, before);
    bool jumped = k > 0 && time.order[k - 1].measure + 1 != played.measure;
    if (jumped && next != changes.begin()) tell(k, time.starts[k], *std::prev(next));
    for (; next != changes.end() && next->measure == played.measure; ++next) {
      auto offset = next->at - measure_position{};
      if (played.until > quarters{} && offset > played.until) break;
      tell(k, time.starts[k] + offset, *next);
    }
  }
}

}  // namespace fermata::midi
