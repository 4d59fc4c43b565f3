#pragma once

#include <string_view>

namespace fermata::io::staff {

/// The characters a staff is drawn with; each takes one cell, unless it says otherwise.
struct glyphs {
  std::string_view line, bar, bar_on_line, bar_top, bar_bottom;
  std::string_view left_top, left_on_line, left_bottom;     ///< the line before a system
  std::string_view right_top, right_on_line, right_bottom;  ///< the last barline of a system
  std::string_view heavy_bar, repeat_dot;
  std::string_view brace_top, brace_middle, brace_bottom, brace;
  std::string_view filled_head, open_head, breve_left, breve_right, cross_head, grace_head;
  std::string_view stem, flag_up, flag_down, beam, dot;
  std::string_view tie_below[3], tie_above[3];  ///< its beginning, middle and end
  std::string_view g_clef, f_clef, c_clef, percussion_clef, octave;
  std::string_view common_time, cut_time;  ///< cut time takes two cells in ASCII
  std::string_view breve_rest, whole_rest, half_rest, quarter_rest;
  /// Rests from the eighth on; in ASCII one sign for each flag, below each other.
  std::string_view short_rests[5];
  bool stacks_rests;
  bool unicode;  ///< which column of the table of accidentals
};

extern const glyphs unicode_glyphs;
extern const glyphs ascii_glyphs;

/// The sign for a MusicXML accidental value ("sharp", "quarter-flat"), one cell or two; `?` for
/// one that has no usual sign.
std::string_view accidental_sign(std::string_view value, const glyphs& g);

}  // namespace fermata::io::staff
