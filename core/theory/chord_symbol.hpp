#pragma once

#include "core/music/interval.hpp"
#include "core/music/pitch.hpp"
#include "core/result.hpp"
#include "core/theory/chord_type.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fermata {

/// A chord symbol as on a lead sheet, e.g. "F#7/A#".
struct chord_symbol {
  std::optional<pitch_name> root;   ///< none: "N.C.", no chord sounds
  std::string quality;              ///< what stood after the root: "7"
  std::vector<interval> intervals;  ///< above the root, ascending
  std::optional<pitch_name> bass;   ///< after the slash, chord tone or not
  bool operator==(const chord_symbol&) const = default;
};

/// Reads root (a capital), quality (chord_quality.hpp) and bass: "Cmaj7(#11)", "Dm7b5", "A7sus4/E".
/// Only a slash that a note name follows has a bass behind it: "C6/9" has none. "N.C." is no chord.
result<chord_symbol> parse_chord_symbol(std::string_view text);

/// "F#7/A#", "Bbsus4", "N.C.": root and bass in capitals, the quality as it was written.
std::string to_string(const chord_symbol& c);

/// A note name as chord symbols have it: "Bb", "F#".
std::string symbol_name(pitch_name n);

/// The kind of the table with the same intervals, if there is one.
const chord_type* type_of(const chord_symbol& c);

/// The spelled tones, bass first: its place among the chord tones is the inversion. A bass that is
/// foreign to the chord comes before the root. Empty for no chord.
std::vector<pitch_name> members(const chord_symbol& c);

/// The symbol as pitches: root position on the root in octave `octave`; with a bass that is a chord
/// tone the inversion whose bass lies in or below that octave; a foreign bass under the root.
std::vector<pitch> chord_pitches(const chord_symbol& c, int octave = 4);

}  // namespace fermata
