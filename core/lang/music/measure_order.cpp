#include "core/lang/music/measure_order.hpp"

#include "core/lang/music/make.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace fermata {

namespace {

auto kinds_of(const attributes& x) {
  return std::tuple{!x.keys.empty(), !x.times.empty(), x.staves.has_value(), !x.clefs.empty(),
                    !x.transpositions.empty()};
}

/// The staff that a signature of one thing is for; 0: all of them. A clef is always for one.
int staff_of(const attributes& x) {
  if (!x.clefs.empty()) return x.clefs.front().staff.value_or(1);
  if (!x.keys.empty()) return x.keys.front().staff.value_or(0);
  if (!x.times.empty()) return x.times.front().staff.value_or(0);
  if (!x.transpositions.empty()) return x.transpositions.front().staff.value_or(0);
  return 0;
}

/// Changes on the way through a measure, whichever voice they stand in.
void say_inside(signatures& in_force, const std::vector<music_ptr>& items) {
  for (const auto& x : items) {
    auto said = signatures_in(*x);
    for (const auto& s : said.own)
      say(in_force, s);
    if (auto inner = items_of(*x); inner && said.own.empty() && !said.rest)
      say_inside(in_force, *inner);
  }
}

/// Moves what `from` lists under a member into signatures of one thing each.
template <class List>
void take_apart(attributes& from, List attributes::*member, signatures& out) {
  for (auto& x : from.*member) {
    attributes one;
    (one.*member).push_back(std::move(x));
    out.push_back(make_music(measure_content{std::move(one)}));
  }
  (from.*member).clear();
}

}  // namespace

bool is_measure(const music_ptr& m) { return as_node<measure_music>(*m) != nullptr; }

said_signatures signatures_in(const music& m) {
  said_signatures out;
  auto block = as_node<seq_music>(m);
  auto a = leaf<attributes>(m);
  if (block && block->block && block->items.size() == 1)
    a = leaf<attributes>(*block->items.front());
  if (!a) return out;
  auto left = *a;
  take_apart(left, &attributes::keys, out.own);
  take_apart(left, &attributes::times, out.own);
  if (left.staves) {
    attributes one;
    one.staves = std::exchange(left.staves, std::nullopt);
    out.own.push_back(make_music(measure_content{std::move(one)}));
  }
  take_apart(left, &attributes::clefs, out.own);
  take_apart(left, &attributes::transpositions, out.own);
  if (left != attributes{} || out.own.empty())
    out.rest = make_music(seq_music{{make_music(measure_content{std::move(left)})}, true});
  return out;
}

void say(signatures& in_force, const music_ptr& signature) {
  std::erase_if(in_force, [&](const music_ptr& x) {
    const auto& a = *leaf<attributes>(*x);
    const auto& b = *leaf<attributes>(*signature);
    return kinds_of(a) == kinds_of(b) && (staff_of(b) == 0 || staff_of(a) == staff_of(b));
  });
  in_force.push_back(signature);
}

music_ptr of_same_kind(const signatures& in_force, const music& signature) {
  auto found = std::find_if(in_force.begin(), in_force.end(), [&](const music_ptr& x) {
    const auto& a = *leaf<attributes>(*x);
    const auto& b = *leaf<attributes>(signature);
    return kinds_of(a) == kinds_of(b) &&
           (staff_of(a) == 0 || staff_of(b) == 0 || staff_of(a) == staff_of(b));
  });
  return found == in_force.end() ? nullptr : *found;
}

std::vector<loose_measure> loosened(const std::vector<measure_music>& measures) {
  std::vector<loose_measure> out;
  signatures in_force;
  for (const auto& m : measures) {
    loose_measure own{m, {}, {}};
    auto& list = own.rest.items;
    for (auto item = list.begin(); item != list.end();) {
      auto said = signatures_in(**item);
      for (const auto& s : said.own)
        say(in_force, s);
      if (said.rest)
        *item++ = said.rest;
      else if (!said.own.empty())
        item = list.erase(item);
      else if (leaf<barline>(**item) || leaf<print_layout>(**item))
        ++item;
      else
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
