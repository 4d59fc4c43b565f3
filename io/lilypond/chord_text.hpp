#pragma once

#include "core/score/model/score.hpp"
#include "io/lilypond/score_plan.hpp"

#include <optional>
#include <string>
#include <vector>

namespace fermata::io::lilypond {

/// Post-events that depend on the rest of the voice, found beforehand.
struct chord_links {
  std::string before;          ///< commands in front of the chord
  std::string after;           ///< beams, slurs, glissandi, trill lines
  std::vector<bool> tied;      ///< per note: a tie begins
  std::vector<bool> repeated;  ///< per note: its accidental is drawn although it holds already
  std::vector<bool> rings;     ///< per note: laissez vibrer
  /// Per note: what puts a note without pitch, or a rest, at its height on the staff.
  std::vector<std::optional<pitch>> heights;
  bool repeat_tie = false;     ///< a tie comes from before a first ending
  bool broken_across = false;  ///< an arpeggio reaches over another staff
  bool in_trill_line = false;  ///< the trill sign is drawn by the line
};

/// Notes of a chord without their duration: "c'", "<c' e'~>", "r"; drums of the part by name when
/// they are given.
std::string heads_text(const chord_rest& x, const chord_links& links, const part* drums = nullptr);

/// Settings in front of the chord that hold for it alone: hidden, without stem, how it is broken.
std::string words_before(const chord_rest& x, bool drums);

/// Post-events of the chord itself: ties of a single note, articulations, tremolo is
/// `tremolo_text`.
std::string post_events(const chord_rest& x, const chord_links& links, const score_plan& plan,
                        std::size_t part, std::size_t measure);

/// Whether the curve of a tie is drawn from the note, and into it.
bool draws_tie_start(const note& n);
bool draws_tie_stop(const note& n);

/// ":32" for a tremolo on the chord alone, by its strokes and flags; empty for none.
std::string tremolo_text(const chord_rest& x);

}  // namespace fermata::io::lilypond
