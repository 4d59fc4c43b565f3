#pragma once

#include "core/lang/value/music.hpp"

#include <cstddef>
#include <string>
#include <unordered_set>
#include <vector>

namespace fermata {

/// What becomes of lines (slurs, hairpins, pedals ...) when music is put in another order.

/// Music whose lines have changed ends, ready to be read backwards. A slur, a hairpin, a pedal line
/// may begin in one measure and end in another, so the two ends are found before anything is moved.
struct turned_lines {
  std::vector<music_ptr> items;  ///< in the old order
  /// Marks that stand between two notes and do not go with the note behind them: ends of lines,
  /// and what continues a line on its way.
  std::unordered_set<const music*> between;
};

/// Every start becomes a stop and every stop a start; a crescendo becomes a diminuendo. What both
/// ends share (a glissando's words, the drawing of a slur) goes to the new start. A line that
/// begins and ends at one place, such as a trill's or a slur from a grace note to its note, stays
/// as it is. An end without a partner is turned on a note; a mark without one stays with its note.
/// Pairs that are kept as XML (pair_end_of) change places whole; an end without a partner stays.
turned_lines turn_lines(const std::vector<music_ptr>& items);

/// Music in two pieces.
struct parted_music {
  std::vector<music_ptr> before, behind;
  std::vector<std::string> lost_ends;  ///< elements that were kept as XML
};
/// The items before `cut` and those from there on, without the lines that begin in one and end in
/// the other. Marks that were nothing but an end go, too.
parted_music parted(const std::vector<music_ptr>& items, std::size_t cut);

}  // namespace fermata
