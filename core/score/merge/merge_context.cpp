#include "core/score/merge/merge_context.hpp"

#include <algorithm>
#include <type_traits>

namespace fermata {

namespace {

/// Calls `visit(list, member)` with where `attributes` and `staff_state` have each kind.
template <class Visitor>
void for_each_kind(Visitor&& visit) {
  visit(&attributes::keys, &staff_state::key);
  visit(&attributes::times, &staff_state::time);
  visit(&attributes::clefs, &staff_state::clef);
  visit(&attributes::transpositions, &staff_state::transpose);
}

/// Calls `visit(list, staff, member)` for each kind on each staff.
template <class Visitor>
void for_each_kind(int staves, Visitor&& visit) {
  for_each_kind([&](auto list, auto member) {
    for (int n = 1; n <= staves; ++n)
      visit(list, static_cast<std::uint8_t>(n), member);
  });
}

/// What holds in a measure, its beginning included, or in front of where it would be.
part_state state_in(const part& p, std::size_t measure, std::size_t next) {
  if (measure < p.measures.size()) return state_at(p, measure, {});
  return state_before(p, std::min(next, p.measures.size()));
}

/// What holds on a side where it does not have the measure; `base_state` held there in the base.
part_state state_without(const side_of_part& side, const part& base, const part_state& base_state,
                         const merged_column& column) {
  auto here = std::min({column.base == nowhere ? column.next_base : column.base,
                        base.measures.size(), side.of_base.size()});
  auto first = here;
  while (first > 0 && side.of_base[first - 1] == nowhere)
    --first;
  // Behind the last one that it still has; then what it deleted, or put others in the place of.
  auto behind_last = first == 0 ? 0 : side.of_base[first - 1] + 1;
  auto state = state_before(side.own, std::min(behind_last, side.own.measures.size()));
  for (auto m = first; m < here; ++m)
    state.apply(*base.measures[m]);
  if (column.base < base.measures.size()) {
    state.apply(*base.measures[column.base], {});
    return state;
  }
  // Where it goes on in what holds in the base as well it has changed nothing.
  if (here >= side.of_base.size() || here >= base.measures.size() ||
      side.of_base[here] >= side.own.measures.size())
    return state;
  auto base_behind = state_at(base, here, {}), behind = state_at(side.own, side.of_base[here], {});
  attributes same;
  for_each_kind(base_state.staves(), [&](auto list, std::uint8_t n, auto member) {
    auto& b = base_state.staff(n).*member;
    if (b && b == base_behind.staff(n).*member && b == behind.staff(n).*member)
      (same.*list).push_back({n, *b, {}});
  });
  state.apply(same);
  return state;
}

}  // namespace

part_state merged_state(const part* base, const side_of_part& ours, const side_of_part& theirs,
                        const merged_column& column) {
  auto there = state_in(theirs.own, theirs.measure, theirs.next);
  auto was = base ? state_in(*base, column.base, column.next_base) : there;
  auto here = state_in(ours.own, ours.measure, ours.next);
  if (base && ours.measure >= ours.own.measures.size())
    here = state_without(ours, *base, was, column);
  if (base && theirs.measure >= theirs.own.measures.size())
    there = state_without(theirs, *base, was, column);
  attributes change;
  if (there.staves() > here.staves()) change.staves = there.staves();
  for_each_kind(there.staves(), [&](auto list, std::uint8_t n, auto member) {
    auto& t = there.staff(n).*member;
    // No side takes a key away: what is not said was lost with the measure that said it.
    if (t && (t != was.staff(n).*member || !(here.staff(n).*member)))
      (change.*list).push_back({n, *t, {}});
  });
  here.apply(change);
  return here;
}

attributes without_others(attributes a, const part_state& wanted) {
  for_each_kind([&](auto list, auto member) {
    std::erase_if(a.*list, [&](auto& c) {
      auto of_all = !std::is_same_v<std::decay_t<decltype(c.value)>, clef>;
      auto last = c.staff.value_or(of_all ? wanted.staves() : 1);
      for (int s = c.staff.value_or(1); s <= last; ++s)
        if (wanted.staff(s).*member != c.value) return true;
      return false;
    });
  });
  return a;
}

}  // namespace fermata
