#pragma once

#include "core/lang/value/music.hpp"

#include <vector>

namespace fermata {

/// Single notes in reverse.

/// Pitches with a tie from a grace note that stays before them.
using grace_ties = std::vector<pitch>;

/// Ties, beams and syllables in reverse; spanners are reversed earlier (reversed_spanners.hpp).
chord_rest turned_chord(chord_rest x, const grace_ties& from_grace);

/// The ties from grace notes to the next note.
void add_grace_ties(const music& m, grace_ties& out);

}  // namespace fermata
