#pragma once

#include "core/music/clef.hpp"
#include "core/music/key.hpp"
#include "core/music/meter.hpp"
#include "core/score/model/direction.hpp"
#include "core/score/model/note.hpp"
#include "core/score/model/shared_list.hpp"

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace fermata {

/// Written to sounding: add `chromatic` semitones and `octaves` octaves once.
struct transposition {
  int diatonic = 0;
  bool diatonic_given = false;
  std::string chromatic = "0";  ///< MusicXML allows decimals; verbatim
  int octaves = 0;
  bool doubled = false;      ///< also sounds an octave lower
  std::string double_above;  ///< "yes"/"no" if specified
  bool operator==(const transposition&) const = default;
};

/// A change for one staff, or for all if `staff` is empty.
template <class T>
struct for_staff {
  std::optional<std::uint8_t> staff;
  T value;
  preserved extra;
  bool operator==(const for_staff&) const = default;
};

/// Key, time, clef and other attributes at a position in the measure (MusicXML <attributes>).
struct attributes {
  std::vector<for_staff<key_signature>> keys;
  std::vector<for_staff<time_signature>> times;
  std::optional<int> staves;
  std::vector<for_staff<clef>> clefs;
  std::vector<for_staff<transposition>> transpositions;
  std::optional<int> multiple_rest;  ///< this many measures of rest drawn as one
  std::vector<fragment> others;  ///< part-symbol, instruments, staff-details, measure-style, ...
  preserved extra;
  bool operator==(const attributes&) const = default;
};

struct barline {
  std::string location = "right";  ///< "left" "right" "middle"
  std::string style;               ///< MusicXML bar-style, or empty
  std::string repeat;              ///< "forward" "backward" or empty
  std::optional<int> repeat_times;
  std::string after_jump;      ///< "yes"/"no" or empty
  std::string ending_numbers;  ///< "1", "1, 2" or empty
  std::string ending_type;     ///< "start" "stop" "discontinue"
  std::string ending_text;
  preserved extra;  ///< fermatas, segno, coda, wavy line, winged, ...
  bool operator==(const barline&) const = default;
};

/// A repeat sign with its lines. The barline keeps its other properties and its position.
void begin_repeat(barline& b);
void end_repeat(barline& b);

/// System and page breaks (MusicXML <print>).
struct print_layout {
  std::string new_system, new_page;  ///< "yes" "no" or empty
  preserved extra;
  bool operator==(const print_layout&) const = default;
};

/// Any content of a measure. `fragment`: an element without a type (listening, grouping, link,
/// bookmark, ...).
using measure_content = std::variant<chord_rest, direction, attributes, harmony, figured_bass,
                                     barline, sound, print_layout, fragment>;

/// An item of a measure and its position.
struct measure_item {
  measure_position at;
  measure_content content;
  bool operator==(const measure_item&) const = default;
};

/// A measure of one part. Items are ordered by voice, in order of first appearance, and by position
/// within a voice; items without a voice (attributes, directions, barlines) belong to the voice in
/// which they occur. A gap between two positions of a voice is a gap, not a rest.
struct measure {
  std::string number = "1";  ///< text: "12", "X1"
  bool implicit = false;     ///< not counted: pickups, split measures
  shared_list<measure_item> items;
  measure_position padded_to;  ///< end of a gap after the last note; zero: no such gap
  preserved extra;             ///< width, non-controlling, text, id
  bool operator==(const measure&) const = default;
};
using measure_ptr = std::shared_ptr<const measure>;

/// End of the last item with a duration (including a gap up to `padded_to`): the actual length of
/// the measure.
quarters extent(const measure& m);

/// Voices in order of appearance.
std::vector<std::string> voices(const measure& m);

}  // namespace fermata
