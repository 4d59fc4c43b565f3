#pragma once

#include "core/music/interval.hpp"
#include "core/music/pitch.hpp"

#include <string_view>
#include <vector>

namespace fermata {

/// A kind of chord: what lies above its root, spelled, and what it is called.
struct chord_type {
  std::string_view symbol;                ///< after the root in a chord symbol: "maj7", "m7b5", "M"
  std::string_view name;                  ///< in words: "major seventh"; may be empty
  std::vector<interval> intervals;        ///< from P1 upwards
  std::vector<std::string_view> aliases;  ///< other symbols: "Δ", "ma7"; case matters (M7, m7)
  std::vector<std::string_view> words;    ///< keywords: "dom7", "half-diminished"
  std::string_view musicxml_kind;         ///< MusicXML 4.0 kind-value; empty when it has none
};

/// All kinds, in the order of tonal's table.
const std::vector<chord_type>& chord_table();

/// By symbol or alias exactly, else by word or name without regard to case: "m7", "-7", "dom7",
/// "Dominant seventh". The empty text is the major triad, as in the symbol "C".
const chord_type* find_chord(std::string_view name);
/// By the text of MusicXML's <kind>, "major-seventh".
const chord_type* find_musicxml_kind(std::string_view kind);
/// By exactly these intervals, in any order.
const chord_type* find_chord(const std::vector<interval>& intervals);

/// 0 for the plain triads, rising to 10 for kinds that players hardly meet: what a chord is called
/// when several names fit.
int rarity(const chord_type& c);

/// The spelled tones on a root, root first.
std::vector<pitch_name> chord_names(pitch_name root, const std::vector<interval>& intervals);

/// The chord in root position upwards from `root`: c4 and the dominant seventh give c4 e4 g4 bb4.
std::vector<pitch> chord_pitches(pitch root, const std::vector<interval>& intervals);

/// The lowest tone lifted above the others, n times: the n-th inversion of a chord in root
/// position. Pitches are sorted first; the lifted tone keeps its spelling. Negative n drops the
/// highest.
std::vector<pitch> chord_inversion(std::vector<pitch> pitches, int n);

}  // namespace fermata
