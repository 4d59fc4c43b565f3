#include "core/lang/music/make.hpp"
#include "core/lang/music/moved_accidentals.hpp"
#include "core/lang/music/transform.hpp"
#include "core/music/modular.hpp"
#include "core/theory/tonality.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace fermata {

namespace {

/// The interval that takes all that is in key `k` along: `i`, or, where the key on that tonic would
/// have more than seven accidentals, the interval to the same sound that needs fewer.
interval interval_for(const key_signature& k, interval i) {
  if (!k.alterations.empty()) return i;
  auto t = tonality_of(k);
  t.tonic = transposed(t.tonic, i);
  auto fifths = signature_of(t).fifths;
  for (; fifths > 7; fifths -= 12)
    ++i.steps;
  for (; fifths < -7; fifths += 12)
    --i.steps;
  return i;
}

/// A signature of any tones: each letter of the scale it makes is moved.
std::vector<key_alteration> moved_alterations(const key_signature& k, interval i) {
  std::vector<key_alteration> letters = k.alterations;
  for (int n = 0; n < 7; ++n) {
    auto letter = static_cast<step>(n);
    auto named = [&](const key_alteration& a) { return a.name.letter == letter; };
    if (std::none_of(letters.begin(), letters.end(), named))
      letters.push_back({pitch_name{letter, 0}, {}, {}});
  }
  std::vector<key_alteration> out;
  for (auto& x : letters) {
    if (x.octave) {
      auto p =
          transposed(pitch{x.name.letter, x.name.cents, static_cast<std::int16_t>(*x.octave)}, i);
      x.octave = p.octave;
    }
    x.name = transposed(x.name, i);
    x.accidental.clear();
    if (x.name.cents != 0) out.push_back(std::move(x));
  }
  return out;
}

key_signature moved_key(key_signature k, interval i) {
  k.cancel.reset();
  if (!k.alterations.empty()) {
    k.alterations = moved_alterations(k, i);
    return k;
  }
  auto t = tonality_of(k);
  t.tonic = transposed(t.tonic, i);
  k.fifths = signature_of(t).fifths;
  return k;
}

/// A fret diagram shows how the chord was fingered, not how it is now.
preserved without_diagram(preserved_xml x) {
  std::erase_if(x.children, [](const fragment& f) { return f.xml.starts_with("<frame"); });
  return x.attributes.empty() && x.children.empty() ? preserved{} : preserved{std::move(x)};
}

/// Moves pitches and, where they go along, keys and chord symbols. Where a key has to be written
/// enharmonically all that it holds for is: notes in D sharp major under a key of E flat would need
/// an accidental each.
class mover {
public:
  mover(const pitch_move& move, copying& walk) : move_(move), walk_(walk) {
    if (move.of_keys) by_ = move.of_keys;
  }

  music_ptr one(const music_ptr& m) {
    if (!walk_.goes_on()) return m;
    if (auto content = std::get_if<measure_content>(&m->data))
      return make_music(std::visit(*this, *content), m->span);
    auto items = items_of(*m);
    if (!items) return m;
    if (as_node<part_music>(*m)) by_ = move_.of_keys;
    // What goes together begins with the same key, and a change in any of it holds behind.
    auto before = by_, behind = by_;
    std::vector<music_ptr> out;
    out.reserve(items->size());
    for (const auto& x : *items) {
      auto layer = as_node<par_music>(*m) || as_node<voice_music>(*x) || as_node<staff_music>(*x);
      if (layer) by_ = before;
      out.push_back(one(x));
      if (layer && by_ != before) behind = by_;
      if (layer) continue;
      before = by_;
      behind = by_;
    }
    by_ = behind;
    return with_items(*m, std::move(out));
  }

  measure_content operator()(chord_rest x) const {
    for (auto& n : x.notes)
      if (auto p = std::get_if<pitch>(&n.tone)) {
        auto move = by_ == move_.of_keys ? move_.of_pitch : [this](const pitch& tone) {
          return transposed(tone, *by_);
        };
        auto before = *p;
        *p = move(before);
        move_accidentals(n, before, move);
        std::erase_if(n.marks, [](const mark& m) {
          return m.kind == mark_kind::string || m.kind == mark_kind::fret ||
                 m.kind == mark_kind::open_string;
        });
      }
    return x;
  }
  measure_content operator()(attributes x) {
    if (!move_.of_keys) return x;
    for (auto& k : x.keys) {
      by_ = interval_for(k.value, *move_.of_keys);
      k.value = moved_key(std::move(k.value), *by_);
    }
    return x;
  }
  measure_content operator()(harmony x) const {
    if (by_) {
      if (x.root) x.root = transposed(*x.root, *by_);
      if (x.bass) x.bass = transposed(*x.bass, *by_);
      if (x.extra && mod(by_->semitones, 12) != 0) x.extra = without_diagram(*x.extra);
    }
    return x;
  }
  template <class Other>
  measure_content operator()(Other x) const {
    return x;
  }

private:
  const pitch_move& move_;
  copying& walk_;
  std::optional<interval> by_;  ///< for what stands in the key in force
};

}  // namespace

result<music_ptr> moved(const music_ptr& m, const pitch_move& move, copying& walk) {
  auto made = mover{move, walk}.one(m);
  if (walk.is_stopped()) return fail(walk.why());
  return made;
}

std::optional<key_signature> key_inside(const music& m) {
  if (auto a = leaf<attributes>(m); a && !a->keys.empty()) return a->keys.front().value;
  if (auto items = items_of(m))
    for (const auto& x : *items)
      if (auto k = key_inside(*x)) return k;
  return std::nullopt;
}

namespace {

/// Which voice a note is in, by name and staff or by its place among what goes together. What is
/// first is in the voice of what stands before and behind.
using voice_line = std::string;

/// A walk over the notes and chords that sound and take time, each with its line.
template <class Visit>
music_ptr each_sounding(const music_ptr& m, const voice_line& line, copying& walk,
                        const Visit& visit) {
  if (!walk.goes_on() || as_node<grace_music>(*m)) return m;
  if (auto c = leaf<chord_rest>(*m)) {
    if (is_rest(*c) || c->grace || c->notes.empty()) return m;
    auto own = c->voice.empty() || c->voice == "1" ? line : line + " voice " + c->voice;
    auto changed = visit(*c, own);
    return changed ? make_music(measure_content{std::move(*changed)}, m->span) : m;
  }
  auto items = items_of(*m);
  if (!items) return m;
  auto inside = line;
  if (auto v = as_node<voice_music>(*m)) {
    if (v->voice != "1") inside += " voice " + v->voice;
  } else if (auto s = as_node<staff_music>(*m)) {
    if (s->staff > 1) inside += " staff " + std::to_string(s->staff);
  }
  auto together =
      as_node<par_music>(*m) || as_node<score_music>(*m) || as_node<part_group_music>(*m);
  std::vector<music_ptr> out;
  for (std::size_t i = 0; i < items->size(); ++i)
    out.push_back(each_sounding(
        (*items)[i], together && i > 0 ? inside + " " + std::to_string(i) : inside, walk, visit));
  return with_items(*m, std::move(out));
}

}  // namespace

result<std::vector<music_ptr>> slurred(const std::vector<music_ptr>& items, copying& walk) {
  std::map<voice_line, std::size_t> notes;
  std::set<std::uint8_t> in_use;
  auto each = [&](const auto& visit) {
    std::vector<music_ptr> out;
    for (const auto& x : items)
      out.push_back(each_sounding(x, {}, walk, visit));
    return out;
  };
  each([&](const chord_rest& c, const voice_line& line) -> std::optional<chord_rest> {
    ++notes[line];
    for (const auto& n : c.notes)
      for (const auto& s : n.spanners)
        if (s.kind == span_kind::slur) in_use.insert(s.number);
    return std::nullopt;
  });
  if (walk.is_stopped()) return fail(walk.why());
  std::erase_if(notes, [](const auto& line) { return line.second < 2; });
  if (notes.empty()) return items;
  // A slur around slurs has a number of its own, the lowest that is free; and so has each voice.
  std::map<voice_line, std::uint8_t> numbers;
  for (const auto& [line, count] : notes) {
    std::uint8_t number = 1;
    while (in_use.contains(number))
      ++number;
    constexpr std::uint8_t most_slurs = 16;
    if (number > most_slurs)
      return fail({errc::out_of_range,
                   "sixteen slurs are in use here, and there is no number for another",
                   std::nullopt, "slur a shorter passage"});
    in_use.insert(number);
    numbers[line] = number;
  }
  std::map<voice_line, std::size_t> at;
  auto made = each([&](const chord_rest& c, const voice_line& line) -> std::optional<chord_rest> {
    auto number = numbers.find(line);
    if (number == numbers.end()) return std::nullopt;
    auto place = at[line]++;
    if (place != 0 && place + 1 != notes[line]) return std::nullopt;
    auto copy = c;
    copy.notes.front().spanners.push_back(
        {span_kind::slur, place == 0 ? span_end::start : span_end::stop, number->second, {}, {}});
    return copy;
  });
  if (walk.is_stopped()) return fail(walk.why());
  return made;
}

}  // namespace fermata
