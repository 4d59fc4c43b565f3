#include "core/lang/music/make.hpp"
#include "core/lang/music/transform.hpp"
#include "core/theory/tonality.hpp"

#include <algorithm>
#include <set>

namespace fermata {

namespace {

/// The key an interval higher, with the fewest accidentals when seven do not suffice.
key_signature moved_key(key_signature k, interval i) {
  if (!k.alterations.empty()) return k;
  auto t = tonality_of(k);
  t.tonic = transposed(t.tonic, i);
  auto next = signature_of(t);
  auto fifths = next.fifths;
  while (fifths > 7)
    fifths -= 12;
  while (fifths < -7)
    fifths += 12;
  k.fifths = fifths;
  k.cancel.reset();
  return k;
}

struct leaf_mover {
  const pitch_move& move;

  measure_content operator()(chord_rest x) const {
    for (auto& n : x.notes)
      if (auto p = std::get_if<pitch>(&n.tone)) {
        *p = move.of_pitch(*p);
        n.accidental.reset();
        std::erase_if(n.marks, [](const mark& m) {
          return m.kind == mark_kind::string || m.kind == mark_kind::fret ||
                 m.kind == mark_kind::open_string;
        });
      }
    return x;
  }
  measure_content operator()(attributes x) const {
    if (move.of_keys)
      for (auto& k : x.keys)
        k.value = moved_key(std::move(k.value), *move.of_keys);
    return x;
  }
  measure_content operator()(harmony x) const {
    if (move.of_keys) {
      if (x.root) x.root = transposed(*x.root, *move.of_keys);
      if (x.bass) x.bass = transposed(*x.bass, *move.of_keys);
    }
    return x;
  }
  template <class Other>
  measure_content operator()(Other x) const {
    return x;
  }
};

}  // namespace

music_ptr mapped(const music_ptr& m,
                 const std::function<measure_content(const measure_content&)>& change) {
  if (auto content = std::get_if<measure_content>(&m->data))
    return make_music(change(*content), m->span);
  auto items = items_of(*m);
  if (!items) return m;
  std::vector<music_ptr> out;
  out.reserve(items->size());
  for (const auto& x : *items)
    out.push_back(mapped(x, change));
  return with_items(*m, std::move(out));
}

music_ptr moved(const music_ptr& m, const pitch_move& move) {
  return mapped(m, [&](const measure_content& x) { return std::visit(leaf_mover{move}, x); });
}

std::optional<key_signature> key_inside(const music& m) {
  if (auto a = leaf<attributes>(m); a && !a->keys.empty()) return a->keys.front().value;
  if (auto items = items_of(m))
    for (const auto& x : *items)
      if (auto k = key_inside(*x)) return k;
  return std::nullopt;
}

namespace {

/// First and last note or chord that sounds, and takes time.
struct sounding_ends {
  std::size_t count = 0;
  std::set<std::uint8_t> slurs;  ///< numbers of those that are there already

  void visit(const music_ptr& m) {
    if (auto c = leaf<chord_rest>(*m)) {
      if (!is_rest(*c) && !c->grace) ++count;
      for (const auto& n : c->notes)
        for (const auto& s : n.spanners)
          if (s.kind == span_kind::slur) slurs.insert(s.number);
      return;
    }
    if (as_node<grace_music>(*m)) return;
    if (auto items = items_of(*m))
      for (const auto& x : *items)
        visit(x);
  }
};

music_ptr slurred_at(const music_ptr& m, std::size_t last, std::uint8_t number, std::size_t& n) {
  if (as_node<grace_music>(*m)) return m;
  if (auto items = items_of(*m)) {
    std::vector<music_ptr> out;
    for (const auto& x : *items)
      out.push_back(slurred_at(x, last, number, n));
    return with_items(*m, std::move(out));
  }
  auto c = leaf<chord_rest>(*m);
  if (!c || is_rest(*c) || c->grace) return m;
  auto at = n++;
  if (at != 0 && at != last) return m;
  auto copy = *c;
  copy.notes.front().spanners.push_back(
      {span_kind::slur, at == 0 ? span_end::start : span_end::stop, number, {}, {}});
  return make_music(measure_content{std::move(copy)}, m->span);
}

}  // namespace

result<std::vector<music_ptr>> slurred(const std::vector<music_ptr>& items) {
  sounding_ends ends;
  for (const auto& x : items)
    ends.visit(x);
  if (ends.count < 2) return items;
  // A slur around slurs has a number of its own, the lowest that is free.
  std::uint8_t number = 1;
  while (ends.slurs.contains(number))
    ++number;
  constexpr std::uint8_t most_slurs = 16;
  if (number > most_slurs)
    return fail({errc::out_of_range,
                 "sixteen slurs are in use here, and there is no number for another", std::nullopt,
                 "slur a shorter passage"});
  std::vector<music_ptr> out;
  std::size_t n = 0;
  for (const auto& x : items)
    out.push_back(slurred_at(x, ends.count - 1, number, n));
  return out;
}

}  // namespace fermata
