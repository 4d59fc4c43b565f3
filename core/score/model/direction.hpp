#pragma once

#include "core/music/duration.hpp"
#include "core/music/pitch.hpp"
#include "core/score/model/preserved.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace fermata {

/// "p", "sfz", ... one or more dynamics drawn together. Names are MusicXML's; anything else is
/// <other-dynamics>.
struct dynamics {
  std::vector<std::string> values;
  preserved extra;
  bool operator==(const dynamics&) const = default;
};

/// One end of a hairpin.
struct wedge {
  std::string type;         ///< "crescendo" "diminuendo" "stop" "continue"
  std::uint8_t number = 1;  ///< distinguishes overlapping hairpins
  preserved extra;
  bool operator==(const wedge&) const = default;
};

/// Text above or below the staff.
struct words {
  std::string text;
  preserved extra;
  bool operator==(const words&) const = default;
};

struct rehearsal_mark {
  std::string text;
  preserved extra;
  bool operator==(const rehearsal_mark&) const = default;
};

struct segno_mark {
  preserved extra;
  bool operator==(const segno_mark&) const = default;
};
struct coda_mark {
  preserved extra;
  bool operator==(const coda_mark&) const = default;
};

/// A metronome mark: beat = number, or beat = beat. Text such as "Allegro" is a separate `words`.
struct metronome {
  note_value beat;
  std::string per_minute;            ///< verbatim: "120", "66.5", "c. 96"; empty for an equation
  std::optional<note_value> equals;  ///< the right side of a beat equation
  preserved extra;
  bool operator==(const metronome&) const = default;
};

struct pedal {
  std::string type;  ///< "start" "stop" "change" "continue" "sostenuto" "discontinue" "resume"
  preserved extra;
  bool operator==(const pedal&) const = default;
};

/// Octave line: the notes below it are written at sounding octave in MusicXML and drawn shifted.
struct octave_shift {
  std::string type;  ///< "up" "down" "stop" "continue"
  int size = 8;
  std::uint8_t number = 1;
  preserved extra;
  bool operator==(const octave_shift&) const = default;
};

/// One end of a bracket or dashes.
struct line_end {
  bool dashes = false;  ///< else bracket
  std::string type;     ///< "start" "stop" "continue"
  std::uint8_t number = 1;
  preserved extra;
  bool operator==(const line_end&) const = default;
};

/// One <direction-type> child; `fragment` for those without a type (harp pedals, images, ...).
using direction_type = std::variant<dynamics, wedge, words, rehearsal_mark, segno_mark, coda_mark,
                                    metronome, pedal, octave_shift, line_end, fragment>;

/// Playback instruction: tempo, jumps, dynamics. Every attribute verbatim by MusicXML name; the
/// relevant names: tempo, dynamics, segno, dalsegno, coda, tocoda, dacapo, fine, forward-repeat.
struct sound {
  preserved extra;  ///< attributes and children of <sound>
  std::string attribute(std::string_view name) const {
    if (extra)
      for (auto& [k, v] : extra->attributes)
        if (k == name) return v;
    return {};
  }
  bool operator==(const sound&) const = default;
};

/// A direction at a position in the measure.
struct direction {
  std::vector<direction_type> types;
  std::vector<std::uint8_t> grouping;  ///< how many of `types` share one <direction-type>, in turn;
                                       ///< empty: each has its own
  std::string placement;               ///< "above" "below" or empty
  std::string voice;                   ///< only if the file specifies it
  std::optional<std::uint8_t> staff;
  std::optional<quarters>
      offset;  ///< drawn (or, with sound="yes" in extra, sounding) this much later
  std::optional<fermata::sound> sound;
  preserved extra;
  bool operator==(const direction&) const = default;
};

/// A chord symbol above the staff.
struct harmony {
  struct degree {
    int value = 0;
    int cents = 0;
    std::string type;  ///< "add" "alter" "subtract"
    preserved extra;
    bool operator==(const degree&) const = default;
  };
  std::optional<pitch_name> root;  ///< otherwise `function`/`numeral`
  std::string function;            ///< "I", "V7" (MusicXML <function>), verbatim
  fragment numeral;                ///< <numeral> verbatim when present
  std::string kind = "major";      ///< MusicXML kind-value
  std::string kind_text;           ///< as displayed, verbatim
  std::optional<pitch_name> bass;
  std::optional<int> inversion;
  std::vector<degree> degrees;
  /// Further chords of a polychord, in file order, without offset, staff and `further` of their
  /// own.
  std::vector<harmony> further;
  std::optional<quarters> offset;
  std::optional<std::uint8_t> staff;
  preserved extra;  ///< attributes, frame, print style of root and bass
  bool operator==(const harmony&) const = default;
};

struct figured_bass {
  struct figure {
    std::string prefix, number, suffix;  ///< accidental names and figure number, verbatim
    preserved extra;                     ///< extend, styles
    bool operator==(const figure&) const = default;
  };
  std::vector<figure> figures;
  quarters length;  ///< zero when the file gives none
  bool parentheses = false;
  preserved extra;
  bool operator==(const figured_bass&) const = default;
};

}  // namespace fermata
