#include "core/score/untouched.hpp"

#include "core/score/numbering.hpp"
#include "core/score/same_music.hpp"
#include "core/score/same_places.hpp"
#include "core/score/walk.hpp"

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

}  // namespace

part_change without_untouched(const part_change& change, const part& before, const part& after) {
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
