#include "core/lang/value/music.hpp"

#include "core/lang/value/make.hpp"

#include <algorithm>

namespace fermata {

namespace {

bool same_items(const std::vector<music_ptr>& a, const std::vector<music_ptr>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const music_ptr& x, const music_ptr& y) { return x == y || *x == *y; });
}

bool same(const measure_content& a, const measure_content& b) { return a == b; }
bool same(const seq_music& a, const seq_music& b) {
  return a.block == b.block && same_items(a.items, b.items);
}
bool same(const par_music& a, const par_music& b) { return same_items(a.items, b.items); }
bool same(const tuplet_music& a, const tuplet_music& b) {
  return a.actual == b.actual && a.normal == b.normal && a.unit == b.unit && a.marked == b.marked &&
         a.extra == b.extra && same_items(a.items, b.items);
}
bool same(const grace_music& a, const grace_music& b) {
  return a.slash == b.slash && same_items(a.items, b.items);
}
bool same(const voice_music& a, const voice_music& b) {
  return a.voice == b.voice && a.staff == b.staff && a.at == b.at && same_items(a.items, b.items);
}
bool same(const staff_music& a, const staff_music& b) {
  return a.staff == b.staff && same_items(a.items, b.items);
}
bool same(const skip_music& a, const skip_music& b) { return a.distance == b.distance; }
bool same(const bar_check_music& a, const bar_check_music& b) { return a.number == b.number; }
bool same(const lyrics_music& a, const lyrics_music& b) {
  return a.verse == b.verse && a.syllables == b.syllables && same_items(a.items, b.items);
}
bool same(const measure_music& a, const measure_music& b) {
  return a.number == b.number && a.implicit == b.implicit && a.free == b.free &&
         a.padded_to == b.padded_to && a.extra == b.extra && same_items(a.items, b.items);
}
bool same(const repeat_music& a, const repeat_music& b) {
  return a.times == b.times && same_items(a.items, b.items);
}
bool same(const ending_music& a, const ending_music& b) {
  return a.numbers == b.numbers && same_items(a.items, b.items);
}
bool same(const part_music& a, const part_music& b) {
  return a.header == b.header && a.instrument == b.instrument && a.plain == b.plain &&
         same_items(a.items, b.items);
}
bool same(const part_group_music& a, const part_group_music& b) {
  return a.group == b.group && same_items(a.items, b.items);
}
bool same(const score_music& a, const score_music& b) {
  return a.header == b.header && a.extra == b.extra && same_items(a.items, b.items);
}

/// Where a voice stands after `m`, when it stood at `from`; places are counted from the start of
/// the enclosing measure. `scale` is that of the tuplets around: notes in them last shorter, but a
/// way is written as long as it is.
quarters after(const music& m, quarters from, rational scale = rational{1});

quarters after_all(const std::vector<music_ptr>& items, quarters from,
                   rational scale = rational{1}) {
  for (const auto& x : items)
    from = after(*x, from, scale);
  return from;
}

struct place_after {
  quarters from;
  rational scale;

  quarters operator()(const measure_content& x) const {
    auto c = std::get_if<chord_rest>(&x);
    if (!c || c->grace) return from;
    if (c->length > quarters{}) return from + c->length * scale;
    return from + length(c->written.value_or(note_value{note_base::whole, 0})) * scale;
  }
  quarters operator()(const seq_music& x) const { return after_all(x.items, from, scale); }
  quarters operator()(const par_music& x) const {
    auto end = from;
    for (const auto& item : x.items)
      end = std::max(end, after(*item, from, scale));
    return end;
  }
  quarters operator()(const tuplet_music& x) const {
    return after_all(x.items, from, scale * rational{x.normal, x.actual});
  }
  quarters operator()(const grace_music&) const { return from; }
  quarters operator()(const voice_music& x) const {
    return std::max(from, after_all(x.items, quarters{x.at ? x.at->value : rational{}}, scale));
  }
  quarters operator()(const staff_music& x) const {
    return std::max(from, after_all(x.items, {}, scale));
  }
  quarters operator()(const skip_music& x) const { return from + x.distance; }
  quarters operator()(const bar_check_music&) const { return from; }
  quarters operator()(const lyrics_music& x) const { return after_all(x.items, from, scale); }
  quarters operator()(const measure_music& x) const {
    // A backup at the end of a measure does not make it shorter: the longest voice counts.
    quarters at, longest;
    for (const auto& item : x.items) {
      at = after(*item, at);
      longest = std::max(longest, at);
    }
    return from + longest;
  }
  quarters operator()(const repeat_music& x) const { return after_all(x.items, from); }
  quarters operator()(const ending_music& x) const { return after_all(x.items, from); }
  quarters operator()(const part_music& x) const { return from + after_all(x.items, {}); }
  quarters operator()(const part_group_music& x) const { return parts(x.items); }
  quarters operator()(const score_music& x) const { return parts(x.items); }

  quarters parts(const std::vector<music_ptr>& items) const {
    quarters longest;
    for (const auto& item : items)
      longest = std::max(longest, after(*item, {}));
    return from + longest;
  }
};

quarters after(const music& m, quarters from, rational scale) {
  return std::visit(place_after{from, scale}, m.data);
}

struct items_visitor {
  const std::vector<music_ptr>* operator()(const measure_content&) const { return nullptr; }
  const std::vector<music_ptr>* operator()(const skip_music&) const { return nullptr; }
  const std::vector<music_ptr>* operator()(const bar_check_music&) const { return nullptr; }
  template <class Node>
  const std::vector<music_ptr>* operator()(const Node& x) const {
    return &x.items;
  }
};

}  // namespace

bool operator==(const music& a, const music& b) {
  return std::visit(
      [&](const auto& x) {
        auto y = std::get_if<std::decay_t<decltype(x)>>(&b.data);
        return y && same(x, *y);
      },
      a.data);
}

void music::measure_items() {
  auto items = items_of(*this);
  if (items == nullptr) return;
  std::uint64_t leaves = 0;
  for (const auto& x : *items) {
    depth = std::max(depth, x->depth + 1);
    leaves += x->weight;
  }
  constexpr std::uint64_t most = UINT32_MAX;
  weight = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(leaves, 1, most));
}

quarters duration_of(const music& m) { return after(m, {}); }

quarters end_position(const music& m, quarters from) { return after(m, from); }

const std::vector<music_ptr>* items_of(const music& m) {
  return std::visit(items_visitor{}, m.data);
}

music_ptr with_items(const music& m, std::vector<music_ptr> items) {
  auto copy = m.data;
  std::visit(
      [&](auto& x) {
        if constexpr (requires { x.items; }) x.items = std::move(items);
      },
      copy);
  return make_music(std::move(copy), m.span);
}

std::vector<music_ptr> spliced(std::vector<music_ptr> items) {
  auto plain = [](const music_ptr& m) {
    auto seq = as_node<seq_music>(*m);
    return seq && !seq->block ? seq : nullptr;
  };
  if (std::none_of(items.begin(), items.end(), plain)) return items;
  std::vector<music_ptr> out;
  for (auto& x : items)
    if (auto seq = plain(x))
      out.insert(out.end(), seq->items.begin(), seq->items.end());
    else
      out.push_back(std::move(x));
  return out;
}

music_ptr as_one(std::vector<music_ptr> items) {
  if (items.size() == 1) return items.front();
  return make_music(seq_music{std::move(items)});
}

bool is_grace(const music& m) {
  auto c = leaf<chord_rest>(m);
  return as_node<grace_music>(m) || (c && c->grace);
}

bool takes_place(const music& m) {
  if (auto content = std::get_if<measure_content>(&m.data))
    return std::holds_alternative<chord_rest>(*content) && !is_grace(m);
  return !is_grace(m) && !as_node<bar_check_music>(m);
}

bool holds_measures(const music& m) {
  if (as_node<measure_music>(m) || as_node<repeat_music>(m) || as_node<ending_music>(m))
    return true;
  if (!as_node<seq_music>(m) && !as_node<voice_music>(m) && !as_node<staff_music>(m) &&
      !as_node<lyrics_music>(m) && !as_node<par_music>(m))
    return false;
  const auto& items = *items_of(m);
  return std::any_of(items.begin(), items.end(),
                     [](const music_ptr& x) { return holds_measures(*x); });
}

bool holds_parts(const music& m) {
  if (as_node<part_music>(m) || as_node<part_group_music>(m)) return true;
  auto s = as_node<seq_music>(m);
  return s && std::any_of(s->items.begin(), s->items.end(),
                          [](const music_ptr& x) { return holds_parts(*x); });
}

bool is_mark_only(const music& m) {
  return duration_of(m) == quarters{} && !holds_measures(m) && !as_node<grace_music>(m) &&
         !(leaf<chord_rest>(m));
}

}  // namespace fermata
