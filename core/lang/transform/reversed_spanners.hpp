#pragma once

#include "core/lang/value/music.hpp"

#include <cstddef>
#include <string>
#include <unordered_set>
#include <vector>

namespace fermata {

/// Spanners (slurs, hairpins, pedals ...) in reordered music.

/// Music whose spanners have exchanged their ends, ready to be reversed. A slur, a hairpin, a pedal
/// line may start in one measure and end in another, so the two ends are paired before anything is
/// moved.
struct reversed_spanners {
  std::vector<music_ptr> items;  ///< in the original order
  /// Marks between two notes that do not move with the next note: ends of spanners, and
  /// continuations of spanners.
  std::unordered_set<const music*> between;
};

/// Every start becomes a stop and every stop a start; a crescendo becomes a diminuendo. Shared
/// properties (a glissando's words, the drawing of a slur) move to the new start. A spanner that
/// starts and ends at one position, such as a trill's or a slur from a grace note to its note, is
/// unchanged. An unpaired end is reversed on a note; an unpaired mark stays with its note. Pairs of
/// kept XML (pair_end_of) exchange positions; an unpaired end stays.
reversed_spanners reverse_spanners(const std::vector<music_ptr>& items);

/// Music in two pieces.
struct parted_music {
  std::vector<music_ptr> before, behind;
  std::vector<std::string> lost_ends;  ///< kept XML elements
};
/// The items before `cut` and those from there on, without the spanners that cross it. Marks that
/// were only an end are removed too.
parted_music parted(const std::vector<music_ptr>& items, std::size_t cut);

}  // namespace fermata
