#include "core/lang/music/measure_order.hpp"

#include "core/lang/music/make.hpp"

#include <algorithm>
#include <tuple>

namespace fermata {

namespace {

bool same_kind(const attributes& a, const attributes& b) {
  auto kinds = [](const attributes& x) {
    return std::tuple{!x.keys.empty(),  !x.times.empty(),          x.staves.has_value(),
                      !x.clefs.empty(), !x.transpositions.empty(), x.multiple_rest.has_value()};
  };
  auto staff = [](const attributes& x) {
    return x.clefs.empty() ? std::uint8_t{1} : x.clefs.front().staff.value_or(1);
  };
  return kinds(a) == kinds(b) && staff(a) == staff(b);
}

/// Changes on the way through a measure, whichever voice they stand in.
void say_inside(signatures& in_force, const std::vector<music_ptr>& items) {
  for (const auto& x : items)
    if (leaf<attributes>(*x))
      say(in_force, x);
    else if (auto inner = items_of(*x))
      say_inside(in_force, *inner);
}

}  // namespace

void say(signatures& in_force, const music_ptr& signature) {
  std::erase_if(in_force, [&](const music_ptr& x) {
    return same_kind(*leaf<attributes>(*x), *leaf<attributes>(*signature));
  });
  in_force.push_back(signature);
}

music_ptr of_same_kind(const signatures& in_force, const music& signature) {
  auto found = std::find_if(in_force.begin(), in_force.end(), [&](const music_ptr& x) {
    return same_kind(*leaf<attributes>(*x), *leaf<attributes>(signature));
  });
  return found == in_force.end() ? nullptr : *found;
}

std::vector<loose_measure> loosened(const std::vector<measure_music>& measures) {
  std::vector<loose_measure> out;
  signatures in_force;
  for (const auto& m : measures) {
    loose_measure own{m, {}, {}};
    auto& list = own.rest.items;
    for (auto item = list.begin(); item != list.end();)
      if (leaf<attributes>(**item)) {
        say(in_force, *item);
        item = list.erase(item);
      } else if (leaf<barline>(**item) || leaf<print_layout>(**item)) {
        ++item;
      } else {
        break;
      }
    own.at_begin = in_force;
    say_inside(in_force, list);
    own.at_end = in_force;
    out.push_back(std::move(own));
  }
  return out;
}

std::vector<music_ptr> put_in_order(std::vector<loose_measure> measures) {
  std::vector<music_ptr> out;
  signatures before;
  for (auto& m : measures) {
    signatures changes;
    for (const auto& a : m.at_begin)
      if (std::none_of(before.begin(), before.end(), [&](const music_ptr& b) { return *a == *b; }))
        changes.push_back(a);
    before = std::move(m.at_end);
    auto& items = m.rest.items;
    auto first = std::find_if(items.begin(), items.end(), [](const music_ptr& x) {
      auto b = leaf<barline>(*x);
      return !(b && b->location == "left") && !leaf<print_layout>(*x);
    });
    items.insert(first, changes.begin(), changes.end());
    m.rest.number.reset();
    out.push_back(make_music(std::move(m.rest)));
  }
  return out;
}

}  // namespace fermata
