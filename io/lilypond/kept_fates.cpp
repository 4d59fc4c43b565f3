#include "io/lilypond/kept_fates.hpp"

#include "io/lilypond/syntax.hpp"

#include <algorithm>
#include <iterator>

namespace fermata::io::lilypond {

namespace {

struct attribute_row {
  std::string_view owner;  ///< element; empty: any
  std::string_view name;   ///< attribute
  report_as fate;
  std::string_view value = {};  ///< the row is for this value; empty: any
};

/// Attributes; of several rows the first that fits counts.
constexpr attribute_row kept_attributes[] = {
    // what a writer of this folder looks at
    {"words", "font-weight", report_as::written},
    {"words", "font-style", report_as::written},
    {"words", "enclosure", report_as::written},
    {"rehearsal", "enclosure", report_as::written},
    {"fermata", "type", report_as::written},
    {"accidental", "parentheses", report_as::written},
    {"accidental", "cautionary", report_as::written},
    {"arpeggiate", "number", report_as::written},
    {"arpeggiate", "unbroken", report_as::written},
    {"tremolo", "type", report_as::written},
    {"glissando", "line-type", report_as::written},
    {"slide", "line-type", report_as::written},
    {"wedge", "niente", report_as::written},
    {"pedal", "line", report_as::written},
    {"pedal", "sign", report_as::written},
    {"tuplet", "bracket", report_as::written},
    {"tuplet", "show-number", report_as::written},
    {"note", "print-object", report_as::written},
    {"clef", "print-object", report_as::written},
    {"key", "print-object", report_as::written},
    {"time", "print-object", report_as::written},
    {"ending", "print-object", report_as::written},
    // what would be drawn anyway
    {"repeat", "winged", report_as::written, "none"},
    {"", "print-object", report_as::written, "yes"},
    {"", "print-dot", report_as::written, "yes"},
    {"", "line-type", report_as::written, "solid"},
    {"", "parentheses", report_as::written, "no"},
    {"", "editorial", report_as::written, "no"},
    {"", "bracket", report_as::written, "no"},
    {"", "show-type", report_as::written, "none"},
    // what only tells elements of a file apart
    {"", "id", report_as::written},
    {"", "number", report_as::written},
    // the score's own spelling of a default
    {"", "print-leger", report_as::layout},
    {"", "print-spacing", report_as::layout},
    {"", "print-dot", report_as::layout},
    {"", "placement", report_as::layout},
    {"", "orientation", report_as::layout},
    {"", "default-x", report_as::layout},
    {"", "default-y", report_as::layout},
    {"", "relative-x", report_as::layout},
    {"", "relative-y", report_as::layout},
    {"", "font-family", report_as::layout},
    {"", "font-style", report_as::layout},
    {"", "font-size", report_as::layout},
    {"", "font-weight", report_as::layout},
    {"", "color", report_as::layout},
    {"", "justify", report_as::layout},
    {"", "halign", report_as::layout},
    {"", "valign", report_as::layout},
    {"", "dir", report_as::layout},
    {"", "letter-spacing", report_as::layout},
    {"", "line-height", report_as::layout},
    {"", "line-length", report_as::layout},
    {"", "line-shape", report_as::layout},
    {"", "rotation", report_as::layout},
    {"", "underline", report_as::layout},
    {"", "overline", report_as::layout},
    {"", "line-through", report_as::layout},
    {"", "text-direction", report_as::layout},
    {"", "xml:lang", report_as::layout},
    {"", "xml:space", report_as::layout},
    {"", "bezier-offset", report_as::layout},
    {"", "bezier-offset2", report_as::layout},
    {"", "bezier-x", report_as::layout},
    {"", "bezier-y", report_as::layout},
    {"", "bezier-x2", report_as::layout},
    {"", "bezier-y2", report_as::layout},
    {"", "dash-length", report_as::layout},
    {"", "space-length", report_as::layout},
    {"", "end-length", report_as::layout},
    {"", "text-x", report_as::layout},
    {"", "text-y", report_as::layout},
    {"", "spread", report_as::layout},
    {"", "width", report_as::layout},
    {"wedge", "number", report_as::written},
    {"clef", "after-barline", report_as::layout},
    {"note", "dynamics", report_as::playback},
    {"note", "end-dynamics", report_as::playback},
    {"note", "attack", report_as::playback},
    {"note", "release", report_as::playback},
    {"note", "pizzicato", report_as::playback},
    {"", "time-only", report_as::playback},
    {"", "start-note", report_as::playback},
    {"", "trill-step", report_as::playback},
    {"", "two-note-turn", report_as::playback},
    {"", "accelerate", report_as::playback},
    {"", "beats", report_as::playback},
    {"", "first-beat", report_as::playback},
    {"", "second-beat", report_as::playback},
    {"", "last-beat", report_as::playback},
    {"offset", "sound", report_as::playback},
    {"barline", "segno", report_as::playback},
    {"barline", "coda", report_as::playback},
    {"barline", "divisions", report_as::playback},
    {"measure", "non-controlling", report_as::playback},
};

struct element_row {
  std::string_view owner;  ///< empty: any
  std::string_view name;
  report_as fate;
};

/// Elements that the score keeps whole.
constexpr element_row kept_elements[] = {
    {"barline", "fermata", report_as::written},
    {"barline", "segno", report_as::written},
    {"barline", "coda", report_as::written},
    {"tuplet", "tuplet-actual", report_as::written},
    {"tuplet", "tuplet-normal", report_as::written},
    {"harmonic", "natural", report_as::written},
    // counted by the writer of figured bass
    {"figure", "extend", report_as::written},
    {"", "defaults", report_as::layout},
    {"print", "page-layout", report_as::layout},
    {"print", "system-layout", report_as::layout},
    {"print", "staff-layout", report_as::layout},
    {"print", "measure-layout", report_as::layout},
    {"", "sound", report_as::playback},
    {"", "play", report_as::playback},
    {"", "listen", report_as::playback},
    {"", "listening", report_as::playback},
    {"", "midi-device", report_as::playback},
    {"", "midi-instrument", report_as::playback},
    {"", "player", report_as::playback},
    {"score-instrument", "solo", report_as::playback},
    {"score-instrument", "ensemble", report_as::playback},
    {"score-instrument", "virtual-instrument", report_as::playback},
};

/// Elements whose value is a member of the score, so that what is kept is their attributes.
constexpr std::string_view typed_elements[] = {"type",
                                               "stem",
                                               "step",
                                               "alter",
                                               "octave",
                                               "duration",
                                               "tie",
                                               "dot",
                                               "staff",
                                               "voice",
                                               "accidental",
                                               "rest",
                                               "pitch",
                                               "unpitched",
                                               "display-step",
                                               "display-octave",
                                               "chord",
                                               "cue",
                                               "grace",
                                               "repeat",
                                               "ending",
                                               "bar-style",
                                               "fifths",
                                               "mode",
                                               "beats",
                                               "beat-type",
                                               "senza-misura",
                                               "sign",
                                               "line",
                                               "diatonic",
                                               "chromatic",
                                               "octave-change",
                                               "double",
                                               "root",
                                               "root-step",
                                               "root-alter",
                                               "kind",
                                               "bass",
                                               "bass-step",
                                               "bass-alter",
                                               "inversion",
                                               "function",
                                               "degree-value",
                                               "degree-alter",
                                               "degree-type",
                                               "figure-number",
                                               "prefix",
                                               "suffix",
                                               "beat-unit",
                                               "per-minute",
                                               "beat-unit-dot",
                                               "actual-notes",
                                               "normal-notes",
                                               "normal-type",
                                               "normal-dot",
                                               "work-title",
                                               "part-name",
                                               "part-abbreviation",
                                               "group-name",
                                               "group-symbol",
                                               "group-barline",
                                               "group-abbreviation",
                                               "staves",
                                               "syllabic",
                                               "text",
                                               "elision",
                                               "extend",
                                               "offset",
                                               "work-number",
                                               "movement-title",
                                               "movement-number",
                                               "instrument",
                                               "clef-octave-change"};

}  // namespace

std::optional<report_as> fate_of_attribute(std::string_view owner, std::string_view name,
                                           std::string_view value) {
  for (auto& row : kept_attributes)
    if ((row.owner.empty() || row.owner == owner) && row.name == name &&
        (row.value.empty() || row.value == value))
      return row.fate;
  return std::nullopt;
}

std::optional<report_as> fate_of_element(std::string_view owner, std::string_view name) {
  for (auto& row : kept_elements)
    if ((row.owner.empty() || row.owner == owner) && row.name == name) return row.fate;
  return std::nullopt;
}

bool is_typed_element(std::string_view xml) {
  return !xml.starts_with("<?") && std::find(std::begin(typed_elements), std::end(typed_elements),
                                             element_name(xml)) != std::end(typed_elements);
}

}  // namespace fermata::io::lilypond
