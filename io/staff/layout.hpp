#pragma once

#include "core/score/model/ties.hpp"
#include "core/score/model/walk.hpp"
#include "io/staff/glyphs.hpp"

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace fermata::io::staff {

/// One staff of one part.
struct stave {
  std::size_t part = 0;
  int number = 1;                  ///< of the staff in its part, from 1
  std::string name;                ///< of the part, on its first staff
  bool first = true, last = true;  ///< in its part
};

/// Columns of a measure, in reading order. Grace notes count backwards from the note they adorn,
/// changes of clef, key and time come before everything.
struct slice_key {
  measure_position at;
  int order = 0;
  auto operator<=>(const slice_key&) const = default;
};
inline constexpr int change_order = -1'000;

enum class head_shape : std::uint8_t { filled, open, breve, cross, grace };

struct head {
  int place = 0;
  std::string accidental;  ///< the sign as drawn
  head_shape shape = head_shape::filled;
  int displaced = 0;  ///< columns to the right (1) or left (-1) of the stem
  bool tie_start = false;
  note_place here;                   ///< of the part
  std::optional<note_place> tie_to;  ///< where the tie leads on this staff; nothing: into the open
};

/// A sign or a word at a note.
struct mark_sign {
  std::string text;
  int side = 0;           ///< 1 above, -1 below, 0: where the stem is not
  bool near = false;      ///< at the head, not outside of the staff
  bool above = false;     ///< above the staff unless `side` says otherwise
  bool dynamics = false;  ///< among the dynamics
  bool operator==(const mark_sign&) const = default;
};

struct slur_end {
  int number = 1;
  bool begins = true;
  int side = 0;  ///< as above
};

struct syllable {
  std::string verse, text;
  bool hyphen = false;   ///< the word goes on
  bool extends = false;  ///< a line under the notes that are sung on it
};

/// A note, a chord or a rest with everything that decides how it looks.
struct drawn_chord {
  std::size_t stave = 0;  ///< index into the staves
  slice_key at;
  std::string voice;
  std::vector<head> heads;  ///< from the lowest; empty for a rest
  bool hidden = false;      ///< it takes its place and is not drawn (MusicXML print-object="no")
  note_base base = note_base::quarter;
  int dots = 0;
  bool whole_measure = false;  ///< a rest that stands in the middle
  int rest_place = 0;
  bool grace = false;
  int stem = 0;      ///< 1 up, -1 down, 0 none
  int stem_end = 0;  ///< place
  int tie_side = 0;  ///< ties bend up (1), down (-1) or, in a chord, away from its middle
  std::array<char, 9> beams{};  ///< as in completed_chord of the MusicXML export
  int flags = 0;
  int shift = 0;  ///< columns to the right, out of the way of another voice
  std::optional<int> tuplet_start;
  bool tuplet_stop = false;
  std::vector<mark_sign> marks;
  std::vector<slur_end> slurs;
  std::vector<syllable> syllables;
};

/// Rows of text around a staff, in the order in which they follow each other outwards.
enum class band : std::uint8_t {
  dynamics_above,
  harmony,
  words_above,
  dynamics_below,
  figures,
  words_below,
  pedal
};

/// A text that stands at a place in the measure.
struct placed_words {
  std::size_t stave = 0;
  measure_position at;
  band where = band::words_above;
  std::string text;
};

/// One end of a crescendo (`<`) or diminuendo (`>`); '\0' ends it.
struct hairpin_end {
  std::size_t stave = 0;
  measure_position at;
  bool above = false;
  int number = 1;
  char sign = '\0';
};

/// What the picture leaves out, by name, and how often.
using left_out_counts = std::map<std::string, int>;

/// Signs that stand in a column of their own: their places and texts.
struct sign_column {
  std::vector<std::pair<int, std::string>> cells;
  int width = 1;
};

/// Clef, key and time as they stand one after another; what is empty is not drawn.
struct signature {
  std::vector<sign_column> clef, key, time;
};

/// A change of signature on one staff.
struct change {
  std::size_t stave = 0;
  slice_key at;
  signature signs;
};

/// Onsets that share a column, on whatever staff.
struct slice {
  slice_key at;
  int left = 0, right = 0;  ///< cells that are needed beside the heads
  int gap = 1;              ///< free cells behind it
  int column = 0;           ///< of the heads, from the start of the measure's notes
};

/// A measure of all staves.
struct measure_block {
  std::string number;
  std::vector<slice> slices;
  std::vector<drawn_chord> chords;
  std::vector<std::vector<std::size_t>> beam_groups;  ///< indices into `chords`
  std::vector<change> changes;                        ///< those inside the measure
  std::vector<signature> opening;                     ///< per staff, what changes at the beginning
  std::vector<signature> full;  ///< per staff, clef and key in force, for a system that begins here
  std::vector<signature> time;  ///< per staff, the time signature in force
  int width = 0;                ///< of the notes, with a cell before them
  std::vector<placed_words> words;
  std::vector<hairpin_end> hairpins;
  std::string ending_begin;  ///< "1.": an ending begins with the measure
  std::string ending_end;    ///< "stop" "discontinue": one ends with it
  std::string left_bar,
      right_bar;  ///< repeat "forward" at the left, MusicXML bar-style or "backward"
};

struct staff_layout {
  std::vector<stave> staves;
  std::vector<measure_block> blocks;
  left_out_counts left_out;
};

/// What of a score is laid out.
struct excerpt {
  std::optional<std::size_t> part;         ///< index; all without one
  std::size_t first = 0, last = SIZE_MAX;  ///< measures by index, inclusive
  bool choose_clef = false;  ///< low music of a single treble staff is drawn in the bass clef
  std::size_t columns = 80;  ///< of the terminal
};
staff_layout laid_out(const score& s, const excerpt& which, const glyphs& g);

}  // namespace fermata::io::staff
