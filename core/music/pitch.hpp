#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace fermata {

/// The seven letters. The numeric value counts diatonic steps above C.
enum class step : std::uint8_t { c, d, e, f, g, a, b };

/// Semitones above C of the natural letter: 0 2 4 5 7 9 11.
constexpr int semitones_above_c(step s) {
  constexpr int table[] = {0, 2, 4, 5, 7, 9, 11};
  return table[static_cast<int>(s)];
}

/// A letter with an alteration, without octave: a pitch class that remembers its spelling. Keys,
/// chord roots and scale tonics are made of it.
struct pitch_name {
  step letter = step::c;
  std::int16_t cents = 0;  ///< alteration: sharp +100, flat -100, quarter sharp +50
  constexpr bool operator==(const pitch_name&) const = default;
};

/// A written pitch: letter, alteration and octave (scientific: c4 is middle C, MIDI key 60).
struct pitch {
  step letter = step::c;
  std::int16_t cents = 0;  ///< alteration in hundredths of a semitone; sharp +100, quarter flat -50
  std::int16_t octave = 4;

  constexpr pitch_name name() const { return {letter, cents}; }
  /// Diatonic steps above c0; c4 is 28. Ignores the alteration.
  constexpr int diatonic_index() const { return octave * 7 + static_cast<int>(letter); }
  constexpr bool operator==(const pitch&) const = default;
};

/// Hundredths of a semitone above c-1 (MIDI key 0): c4 is 6000, c#4 6100.
constexpr int midi_cents(pitch p) {
  return (p.octave + 1) * 1200 + semitones_above_c(p.letter) * 100 + p.cents;
}

/// MIDI key number, rounded down to the semitone for microtones: c4 is 60. May leave 0..127.
constexpr int midi_key(pitch p) {
  int c = midi_cents(p);
  return c >= 0 ? c / 100 : -((-c + 99) / 100);
}

/// Pitch class 0..11 (C = 0) of a spelling, microtones rounded down.
int pitch_class(pitch_name n);

/// Place on the line of fifths: F -1, C 0, G 1, D 2 ... B 5, seven more per sharp, seven less per
/// flat. Nothing for microtones.
std::optional<int> line_of_fifths(pitch_name n);
/// The inverse: 0 is C, 6 is F#, -1 is F, -2 is Bb.
pitch_name from_line_of_fifths(int position);

/// "c#4", "bb3", "f4", "e+4" (quarter sharp): the canonical spelling of a pitch literal. A pitch
/// whose alteration has no letter spelling prints with its cents as "c{+33}4".
std::string to_string(pitch p);
/// "c#", "bb".
std::string to_string(pitch_name n);

/// Reads a pitch literal: letter a-g in either case, then the longest accidental out of
/// `# s ## x ### b bb bbb n + d #+ +# db bd`, `♯ ♭ ♮ 𝄪 𝄫`, or `{±N}` (cents), then an octave -1..9.
/// "bb3" is B-flat 3, "b3" is B 3, "bbb3" is B-double-flat. Nothing for anything else.
std::optional<pitch> parse_pitch(std::string_view text);
/// Reads a spelling without octave: "c", "f#", "bb", also "f-sharp", "b-flat", "c-double-sharp".
std::optional<pitch_name> parse_pitch_name(std::string_view text);

}  // namespace fermata
