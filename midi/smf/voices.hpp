#pragma once

#include "core/music/rational.hpp"

#include <cstddef>
#include <vector>

namespace fermata::midi::smf {

/// A note at its place on the grid.
struct placed_note {
  rational from, to;
  int key = 60;
};

/// Notes of a voice that begin and end together.
struct voice_chord {
  rational from, to;
  std::vector<std::size_t> notes;  ///< indices, by height from the lowest
};

/// The chords of a voice, none beginning before the one before it has ended.
using voice_line = std::vector<voice_chord>;

/// Divides the notes of a part into voices. Notes that begin and end together are a chord; what
/// overlaps in another way goes to another voice: of those that are free, the first one, where
/// higher notes come first. A key that is struck twice at once is one note, or with `keep_unisons`
/// two in different voices. Notes for which `most` voices do not suffice are left out and counted.
std::vector<voice_line> voices_of(const std::vector<placed_note>& notes, std::size_t most,
                                  std::size_t& left_out, bool keep_unisons = false);

}  // namespace fermata::midi::smf
