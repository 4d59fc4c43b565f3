#include "core/score/edit/attributes_at_start.hpp"

#include "core/score/model/placing.hpp"

#include <algorithm>
#include <set>

namespace fermata {

namespace {

template <class T>
void take_unless_said(std::vector<for_staff<T>>& into, std::vector<for_staff<T>>& from) {
  if (!into.empty()) return;
  auto for_all = std::stable_partition(from.begin(), from.end(),
                                       [](const auto& x) { return x.staff.has_value(); });
  into.assign(for_all, from.end());
  from.erase(for_all, from.end());
}

/// Clefs of staves that have none yet and have not begun to play.
void take_new_clefs(attributes& into, attributes& from, const std::set<int>& playing) {
  auto staff_of = [](const for_staff<clef>& x) { return int{x.staff.value_or(1)}; };
  std::set<int> staves = playing;
  for (const auto& x : into.clefs)
    staves.insert(staff_of(x));
  auto taken = std::stable_partition(from.clefs.begin(), from.clefs.end(),
                                     [&](const auto& x) { return staves.contains(staff_of(x)); });
  into.clefs.insert(into.clefs.end(), taken, from.clefs.end());
  from.clefs.erase(taken, from.clefs.end());
}

}  // namespace

attributes* attributes_at_start(measure& m) {
  for (auto& item : m.items) {
    if (std::holds_alternative<chord_rest>(item.content) || item.at != measure_position{})
      return nullptr;
    if (auto a = std::get_if<attributes>(&item.content)) return a;
  }
  return nullptr;
}

void move_attributes_to_start(measure& first) {
  attributes in_front;
  auto said = attributes_at_start(first);
  auto& into = said ? *said : in_front;
  std::set<int> playing;
  for (auto& item : first.items) {
    if (auto c = std::get_if<chord_rest>(&item.content)) playing.insert(c->staff);
    auto a = std::get_if<attributes>(&item.content);
    if (!a || a == said || item.at != measure_position{}) continue;
    take_unless_said(into.keys, a->keys);
    take_unless_said(into.times, a->times);
    take_new_clefs(into, *a, playing);
  }
  erase_if(first.items, [](const measure_item& item) {
    auto a = std::get_if<attributes>(&item.content);
    return a && *a == attributes{};
  });
  if (in_front != attributes{}) place_attributes(first, {}, {}, in_front);
}

}  // namespace fermata
