#pragma once

#include "core/music/duration.hpp"
#include "core/music/pitch.hpp"
#include "core/score/model/mark.hpp"
#include "core/score/model/preserved.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace fermata {

/// A percussion note: where it is drawn; its sound is determined by `note::instrument`.
struct unpitched {
  std::optional<step> display_step;
  int display_octave = 4;
  bool operator==(const unpitched&) const = default;
};

/// Silence with a duration.
struct rest {
  bool whole_measure = false;  ///< drawn centred, lasts the whole measure
  std::optional<step> display_step;
  int display_octave = 4;
  bool operator==(const rest&) const = default;
};

/// The sound of a note. The pitch is the written one; transposing instruments sound elsewhere.
using tone = std::variant<pitch, unpitched, rest>;

/// The accidental as displayed; it never changes the pitch.
struct displayed_accidental {
  std::string value;  ///< MusicXML accidental-value: "sharp", "flat-flat", "quarter-flat", ...
  preserved extra;    ///< cautionary, editorial, parentheses, bracket, smufl, ...
  bool operator==(const displayed_accidental&) const = default;
};

/// Whether the sound of this note continues into (start) or from (stop) a neighbour of the same
/// pitch. Joined by time and pitch, not by file order.
struct tie_ends {
  bool start = false;
  bool stop = false;
  bool start_undrawn =
      false;  ///< sounds on, but no curve starts here (MusicXML <tie> without <tied>)
  bool stop_undrawn = false;
  bool operator==(const tie_ends&) const = default;
};

struct beam {
  std::uint8_t number = 1;  ///< 1 is the eighth-note beam, up to 8
  std::string value;        ///< "begin" "continue" "end" "forward hook" "backward hook"
  preserved extra;
  bool operator==(const beam&) const = default;
};

struct lyric_syllable {
  std::string
      elision;  ///< joins it to the previous syllable under the same note; empty for the first
  std::string syllabic;  ///< "single" "begin" "middle" "end" or empty
  std::string text;
  preserved extra;  ///< fonts of the text
  bool operator==(const lyric_syllable&) const = default;
};

struct lyric {
  std::string number = "1";  ///< verse; a name is allowed
  std::vector<lyric_syllable> syllables;
  std::string extend;  ///< "" none, "plain" bare element, "start" "stop" "continue"
  bool humming = false, laughing = false, end_line = false, end_paragraph = false;
  preserved extra;
  bool operator==(const lyric&) const = default;
};

struct notehead {
  std::string value;   ///< MusicXML notehead-value
  std::string filled;  ///< "yes" "no" or empty
  std::string parentheses;
  preserved extra;
  bool operator==(const notehead&) const = default;
};

/// Differences of a chord's note from its first note. In MusicXML each note of a chord may have its
/// own voice, staff, length and note value; empty members are as in the chord.
struct chord_difference {
  std::optional<quarters> length;
  std::optional<note_value> written;
  bool without_written = false;  ///< the chord has a note value, this note has none
  std::optional<std::string> voice;
  std::optional<std::uint8_t> staff;
  bool operator==(const chord_difference&) const = default;
};

/// One notehead of a chord, or the single note, or a rest, with everything attached to it.
struct note {
  fermata::tone tone = pitch{};
  tie_ends tie;
  boxed<displayed_accidental> accidental;
  std::vector<mark> marks;        ///< in file order within each group
  std::vector<spanner> spanners;  ///< slurs, glissandi, tuplet brackets, drawn ties, ...
  std::vector<lyric> lyrics;
  std::vector<beam> beams;  ///< explicit beams; empty: computed on export
  std::string stem;         ///< "up" "down" "none" "double" or empty
  boxed<fermata::notehead> notehead;
  std::string instrument;           ///< id of one of the part's instruments, or empty
  boxed<chord_difference> differs;  ///< only on the second and later notes of a chord
  preserved extra;  ///< attributes and children without a type: play, notehead-text, ...
  bool operator==(const note&) const = default;
};

/// MusicXML's time-modification: `actual` notes in the time of `normal`. Nested tuplets multiply.
struct time_modification {
  int actual = 3;
  int normal = 2;
  std::optional<note_value> normal_type;
  bool operator==(const time_modification&) const = default;
};

/// A grace note, without a duration of its own.
struct grace_info {
  bool slash = false;
  std::string steal_previous, steal_following, make_time;  ///< percentages / divisions verbatim
  std::string slash_text;  ///< "yes" "no" as in the file; empty: only `slash` is given
  bool operator==(const grace_info&) const = default;
};

/// A note, a chord or a rest in a voice. One note: `notes` has one element; a rest: one element
/// whose tone is `rest`; a chord: two or more, in file order.
struct chord_rest {
  quarters length;                          ///< exact duration; zero for grace notes
  std::optional<note_value> written;        ///< as drawn, if known
  std::optional<time_modification> tuplet;  ///< product of all tuplets around it
  boxed<grace_info> grace;
  bool cue = false;
  std::string voice = "1";
  std::uint8_t staff = 1;
  bool staff_given = false;  ///< the file has <staff> even if it is 1
  std::vector<note> notes;
  bool operator==(const chord_rest&) const = default;
};

inline bool is_rest(const chord_rest& x) {
  return x.notes.size() == 1 && std::holds_alternative<rest>(x.notes.front().tone);
}

}  // namespace fermata
