#include "core/lang/transform/kept_xml_transform.hpp"
#include "core/lang/transform/moved_accidentals.hpp"
#include "core/lang/transform/moved_figures.hpp"
#include "core/lang/transform/transform.hpp"
#include "core/lang/transform/voice_lines.hpp"
#include "core/lang/value/make.hpp"
#include "core/music/modular.hpp"
#include "core/score/model/attribute_of.hpp"
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

/// Fingerings of one pitch, which another one does not have.
bool shows_pitch(const mark& m) {
  return m.kind == mark_kind::string || m.kind == mark_kind::fret ||
         m.kind == mark_kind::open_string || m.kind == mark_kind::hole;
}

/// Moves pitches and, where they go along, keys and chord symbols. Where a key has to be written
/// enharmonically all that it holds for is: notes in D sharp major under a key of E flat would need
/// an accidental each.
class mover {
public:
  mover(const pitch_move& move, const std::vector<music_ptr>& row, copying& walk)
    : move_(move),
      walk_(walk),
      held_{move.of_keys, move.around, move.around},
      basses_(basses_of_figures(row)) {}

  music_ptr one(const music_ptr& m) {
    if (!walk_.goes_on()) return m;
    if (auto content = std::get_if<measure_content>(&m->data)) {
      auto next = with_kept_moved(std::visit(*this, *content));
      auto made = next ? make_music(std::move(*next), m->span) : make_music(seq_music{}, m->span);
      if (fault && !fault->diagnostics.front().span) fault->diagnostics.front().span = m->span;
      return made;
    }
    auto items = items_of(*m);
    if (!items) return m;
    if (as_node<part_music>(*m)) held_ = {move_.of_keys, {}, {}};
    // What goes together begins with the same key, and a change in any of it holds behind.
    auto before = held_, behind = held_;
    std::vector<music_ptr> out;
    out.reserve(items->size());
    for (const auto& x : *items) {
      auto layer = as_node<par_music>(*m) || as_node<voice_music>(*x) || as_node<staff_music>(*x);
      if (layer) held_ = before;
      out.push_back(one(x));
      if (layer && held_ != before) behind = held_;
      if (layer) continue;
      before = held_;
      behind = held_;
    }
    held_ = behind;
    return with_items(*m, std::move(out));
  }

  measure_content operator()(chord_rest x) const {
    for (auto& n : x.notes)
      if (auto p = std::get_if<pitch>(&n.tone)) {
        auto move = of_pitch();
        auto before = *p;
        *p = move(before);
        // An ornament's signs are of the tones beside the note, which may move where it does not.
        move_accidentals(n, before, move);
        if (*p == before) continue;
        drop_glyphs(n);
        std::erase_if(n.marks, [&](const mark& m) {
          if (shows_pitch(m)) lost(info(m.kind).xml_name);
          return shows_pitch(m);
        });
      }
    return x;
  }
  measure_content operator()(attributes x) {
    for (auto& k : x.keys) {
      held_.key_before = k.value;
      if (move_.of_keys) {
        held_.by = interval_for(k.value, *move_.of_keys);
        if (renames() && !k.value.key_octaves.empty()) {
          lost("key-octave");
          k.value.key_octaves.clear();
        }
        k.value = moved_key(std::move(k.value), *held_.by);
      }
      held_.key_behind = k.value;
    }
    return x;
  }
  measure_content operator()(harmony x) const {
    if (auto by = held_.by) {
      move_chord(x, *by);
      for (auto& further : x.further)
        move_chord(further, *by);
    }
    return x;
  }
  measure_content operator()(figured_bass x) {
    auto bass = basses_[figures_++];
    if (bass)
      move_figures(x, *bass, of_pitch(), held_.key_before, held_.key_behind);
    else if (has_signs(x) && !fault)
      fault = error{errc::misplaced,
                    "these figures have no bass note, so their accidentals cannot be transposed",
                    {},
                    "transpose them together with the notes that they belong to"};
    return x;
  }
  template <class Other>
  measure_content operator()(Other x) const {
    return x;
  }

  std::optional<error> fault;

private:
  /// What holds where the walk has come to.
  struct in_force {
    std::optional<interval> by;            ///< for what stands in the key
    key_signature key_before, key_behind;  ///< the key as it was, and as it is written now
    bool operator==(const in_force&) const = default;
  };

  /// A sign that stays is another one now, with a glyph of its own.
  void drop_glyphs(note& n) const {
    auto drop = [&](preserved& extra, std::string_view element) {
      if (attribute_of(extra, "smufl").empty()) return;
      lost("the glyph of <" + std::string{element} + ">");
      auto next = *extra;
      std::erase_if(next.attributes, [](auto& a) { return a.first == "smufl"; });
      extra = next == preserved_xml{} ? preserved{} : preserved{std::move(next)};
    };
    if (n.accidental) {
      auto sign = *n.accidental;
      drop(sign.extra, "accidental");
      if (sign != *n.accidental) n.accidental = std::move(sign);
    }
    for (auto& m : n.marks)
      if (m.kind == mark_kind::ornament_accidental || m.kind == mark_kind::accidental_notation)
        drop(m.extra, "accidental-mark");
  }

  void lost(std::string_view what) const { walk_.dropped(move_.operation, what); }

  /// Whether what names pitches names others now.
  bool renames() const {
    return move_.operation == edit_operation::invert ||
           (held_.by && (mod(held_.by->semitones, 12) != 0 || mod(held_.by->steps, 7) != 0));
  }

  std::optional<measure_content> with_kept_moved(measure_content x) const {
    // A note that keeps its name has been looked at; what stands around it is as right as it was.
    if (!renames() && !std::holds_alternative<chord_rest>(x)) return x;
    if (!renames() && !move_.moves_by_steps) return x;
    return with_kept_edited(std::move(x),
                            {move_.operation, [this](std::string_view what) { lost(what); }});
  }

  void move_chord(harmony& x, interval by) const {
    if (x.root) x.root = transposed(*x.root, by);
    if (x.bass) x.bass = transposed(*x.bass, by);
    if (!renames()) return;
    drop_root_texts(x, [this](std::string_view what) { lost(what); });
    // How far the key of C moves: a fifth is 4 steps and 7 semitones, an octave 7 and 12.
    move_numeral_key(x, 7 * by.semitones - 12 * by.steps);
  }

  std::function<pitch(const pitch&)> of_pitch() const {
    if (held_.by == move_.of_keys) return move_.of_pitch;
    return [by = *held_.by](const pitch& tone) { return transposed(tone, by); };
  }

  const pitch_move& move_;
  copying& walk_;
  in_force held_;
  std::vector<std::optional<pitch>> basses_;  ///< of all figures, in the order of the walk
  std::size_t figures_ = 0;                   ///< met so far
};

}  // namespace

result<std::vector<music_ptr>> moved(const std::vector<music_ptr>& items, const pitch_move& move,
                                     copying& walk) {
  mover own{move, items, walk};
  std::vector<music_ptr> out;
  out.reserve(items.size());
  for (const auto& x : items)
    out.push_back(own.one(x));
  if (walk.is_stopped()) return fail(walk.why());
  if (own.fault) return fail(std::move(*own.fault));
  return out;
}

std::optional<key_signature> key_inside(const music& m) {
  if (auto a = leaf<attributes>(m); a && !a->keys.empty()) return a->keys.front().value;
  if (auto items = items_of(m))
    for (const auto& x : *items)
      if (auto k = key_inside(*x)) return k;
  return std::nullopt;
}

result<std::vector<music_ptr>> slurred(const std::vector<music_ptr>& items, copying& walk) {
  std::map<voice_line, std::size_t> notes;
  std::set<std::uint8_t> in_use;
  auto each = [&](const auto& visit) {
    std::vector<music_ptr> out;
    for (const auto& x : items)
      out.push_back(each_in_time(x, {}, walk, visit));
    return out;
  };
  each([&](const chord_rest& c, const voice_line& line) -> std::optional<chord_rest> {
    if (is_rest(c)) return std::nullopt;
    ++notes[line];
    for (const auto& n : c.notes)
      for (const auto& s : n.spanners)
        if (s.kind == spanner_kind::slur) in_use.insert(s.number);
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
      return fail({errc::out_of_range, "too many slurs: all sixteen numbers are in use here",
                   std::nullopt, "slur a shorter passage"});
    in_use.insert(number);
    numbers[line] = number;
  }
  std::map<voice_line, std::size_t> at;
  auto made = each([&](const chord_rest& c, const voice_line& line) -> std::optional<chord_rest> {
    auto number = numbers.find(line);
    if (is_rest(c) || number == numbers.end()) return std::nullopt;
    auto place = at[line]++;
    if (place != 0 && place + 1 != notes[line]) return std::nullopt;
    auto copy = c;
    copy.notes.front().spanners.push_back({spanner_kind::slur,
                                           place == 0 ? span_end::start : span_end::stop,
                                           number->second,
                                           {},
                                           {}});
    return copy;
  });
  if (walk.is_stopped()) return fail(walk.why());
  return made;
}

}  // namespace fermata
