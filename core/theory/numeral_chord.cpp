// What a Roman numeral sounds like in a key; the reader and printer are in roman_numeral.cpp.

#include "core/music/interval.hpp"
#include "core/music/modular.hpp"
#include "core/theory/roman_numeral.hpp"

#include <algorithm>

namespace fermata {

namespace {

/// A chord tone with its place in the stack: 1 root, 3, 5, 7, 9 ...
struct stacked_tone {
  int number;
  pitch_name name;
};
using stack = std::vector<stacked_tone>;

bool is_lower_case(triad_quality q) {
  return q != triad_quality::major && q != triad_quality::augmented;
}

pitch_name shifted(pitch_name n, int semitones) {
  n.cents = static_cast<std::int16_t>(n.cents + 100 * semitones);
  return n;
}

/// The key's own tone `number` above a letter: the seventh above G in C major is F.
pitch_name key_tone_above(pitch_name root, int number, const tonality& key) {
  auto steps = static_cast<int>(root.letter) - static_cast<int>(key.tonic.letter) + number - 1;
  return degree(key, steps + 1);
}

/// Semitones from one name up to another, 0..11.
int semitones_between(pitch_name low, pitch_name high) {
  return mod(pitch_class(high) - pitch_class(low), 12);
}

pitch_name root_of(const roman_numeral& n, const tonality& key) {
  auto natural = degree(key, n.degree);
  auto accidental = n.accidental;
  if (key.mode == mode::minor && n.degree >= 6) {
    bool raised = is_lower_case(n.quality);
    // The sign that only confirms what the case says is a caution, not an alteration.
    if (raised && accidental > 0)
      --accidental;
    else if (!raised && accidental < 0)
      ++accidental;
    if (raised) ++accidental;
  }
  return shifted(natural, accidental);
}

pitch_name seventh_of(const roman_numeral& n, pitch_name root, const tonality& key) {
  constexpr interval major{6, 11}, minor{6, 10}, diminished{6, 9};
  if (n.major_seventh) return transposed(root, major);
  if (n.quality == triad_quality::diminished) return transposed(root, diminished);
  if (n.quality == triad_quality::half_diminished) return transposed(root, minor);
  auto diatonic = key_tone_above(root, 7, key);
  // On a root that the key does not have, its tone may be no seventh at all.
  switch (semitones_between(root, diatonic)) {
    case 9: return is_lower_case(n.quality) ? diatonic : transposed(root, minor);
    case 10: return diatonic;
    // A minor triad with the major seventh of a major key is borrowed, as its third is.
    case 11: return is_lower_case(n.quality) ? transposed(root, minor) : diatonic;
    case 8: return transposed(root, minor);
    default: return transposed(root, major);
  }
}

/// Ninth, eleventh or thirteenth: the key's tone, unless on a chromatic root that is none.
pitch_name extension_of(int number, pitch_name root, const tonality& key) {
  auto diatonic = key_tone_above(root, number, key);
  auto major = semitones_above_c(static_cast<step>((number - 1) % 7));
  auto deviation = semitones_between(root, diatonic) - major;
  bool usual = deviation == 0 || deviation == (number == 11 ? 1 : -1);
  return usual ? diatonic : transposed(root, interval{number - 8, major});
}

stack degree_stack(const roman_numeral& n, const tonality& key) {
  constexpr interval major_third{2, 4}, minor_third{2, 3}, perfect{4, 7}, diminished{4, 6},
      augmented{4, 8};
  auto root = root_of(n, key);
  auto third = transposed(root, is_lower_case(n.quality) ? minor_third : major_third);
  auto fifth = transposed(root, perfect);
  if (n.quality == triad_quality::diminished || n.quality == triad_quality::half_diminished)
    fifth = transposed(root, diminished);
  if (n.quality == triad_quality::augmented) fifth = transposed(root, augmented);
  if (n.quality == triad_quality::minor && n.degree == 7 &&
      key_tone_above(root, 5, key) == transposed(root, diminished))
    fifth = transposed(root, diminished);
  stack tones{{1, root}, {3, third}, {5, fifth}};
  if (n.extension >= 7) tones.push_back({7, seventh_of(n, root, key)});
  for (int number = 9; number <= n.extension; number += 2)
    tones.push_back({number, extension_of(number, root, key)});
  return tones;
}

/// The chords with a name, built from the tonic.
stack named_stack(const roman_numeral& n, const tonality& key) {
  auto above = [&](int steps, int semitones) {
    return transposed(key.tonic, interval{steps, semitones});
  };
  auto raised_fourth = above(3, 6), lowered_sixth = above(5, 8), lowered_third = above(2, 3);
  switch (n.kind) {
    case numeral_kind::neapolitan: {
      auto root = above(1, 1);
      return {
          {1, root}, {3, transposed(root, interval{2, 4})}, {5, transposed(root, interval{4, 7})}};
    }
    case numeral_kind::italian_sixth:
      return {{1, raised_fourth}, {3, lowered_sixth}, {5, key.tonic}};
    case numeral_kind::german_sixth:
      return {{1, raised_fourth}, {3, lowered_sixth}, {5, key.tonic}, {7, lowered_third}};
    case numeral_kind::french_sixth:
      return {{1, above(1, 2)}, {3, raised_fourth}, {5, lowered_sixth}, {7, key.tonic}};
    case numeral_kind::swiss_sixth:
      return {{1, above(1, 3)}, {3, raised_fourth}, {5, lowered_sixth}, {7, key.tonic}};
    case numeral_kind::cadential_six_four:
    case numeral_kind::degree: break;
  }
  return {{1, key.tonic},
          {3, is_minor(key) ? lowered_third : above(2, 4)},
          {5, transposed(key.tonic, interval{4, 7})}};
}

void apply_alteration(stack& tones, const numeral_alteration& a, const tonality& key) {
  auto same = [&](const stacked_tone& t) { return t.number == a.number; };
  auto at = std::find_if(tones.begin(), tones.end(), same);
  if (a.what == numeral_alteration::action::omit) {
    if (tones.size() > 1 && at != tones.end()) tones.erase(at);
    return;
  }
  if (at != tones.end() && a.what == numeral_alteration::action::alter) {
    at->name = shifted(at->name, a.semitones);
    return;
  }
  auto root = tones.front().name;
  tones.push_back({a.number, shifted(key_tone_above(root, a.number, key), a.semitones)});
}

}  // namespace

result<tonality> tonicized_key(const roman_numeral& target, const tonality& key) {
  auto chord = chord_of(target, key);
  if (!chord) return fail(chord.error());
  return tonality{chord->root(), is_lower_case(target.quality) ? mode::minor : mode::major};
}

result<numeral_chord> chord_of(const roman_numeral& n, const tonality& key) {
  auto local = key;
  if (!n.applied_to.empty()) {
    auto tonicized = tonicized_key(n.applied_to.front(), key);
    if (!tonicized) return fail(tonicized.error());
    local = *tonicized;
  }
  auto tones = n.kind == numeral_kind::degree ? degree_stack(n, local) : named_stack(n, local);
  auto bass_number = 2 * n.inversion + 1;
  for (const auto& a : n.alterations)
    apply_alteration(tones, a, local);
  numeral_chord chord;
  for (std::size_t i = 0; i < tones.size(); ++i) {
    chord.tones.push_back(tones[i].name);
    chord.numbers.push_back(tones[i].number);
    if (tones[i].number == bass_number) chord.bass = i;
    // Letters beyond ten accidentals come from keys no one writes and overflow the alteration.
    if (tones[i].name.cents > 1000 || tones[i].name.cents < -1000)
      return fail({errc::out_of_range, "`" + to_string(n) + "` is too far from the key"});
  }
  return chord;
}

std::vector<pitch> chord_pitches(const numeral_chord& c, int octave) {
  auto above = [](pitch_name name, pitch low) {
    pitch p{name.letter, name.cents, static_cast<std::int16_t>(low.octave - 1)};
    while (midi_cents(p) <= midi_cents(low))
      ++p.octave;
    return p;
  };
  auto lower = [](pitch a, pitch b) { return midi_cents(a) < midi_cents(b); };
  auto bass = c.bass_tone();
  pitch low{bass.letter, bass.cents, static_cast<std::int16_t>(octave)};
  if (semitones_above_c(bass.letter) * 100 + bass.cents > 600) --low.octave;
  std::vector<pitch> pitches{low};
  std::vector<stacked_tone> upper;
  for (std::size_t i = 0; i < c.tones.size(); ++i)
    if (i == c.bass)
      continue;
    else if (c.numbers[i] > 7)
      upper.push_back({c.numbers[i], c.tones[i]});
    else
      pitches.push_back(above(c.tones[i], low));
  std::sort(pitches.begin() + 1, pitches.end(), lower);
  std::stable_sort(upper.begin(), upper.end(), [](const stacked_tone& a, const stacked_tone& b) {
    return a.number < b.number;
  });
  for (const auto& tone : upper)
    pitches.push_back(above(tone.name, pitches.back()));
  return pitches;
}

}  // namespace fermata
