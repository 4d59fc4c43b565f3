#pragma once

#include "core/lang/value/music.hpp"

#include <vector>

namespace fermata {

/// Notes read backwards, each for itself.

/// Pitches whose tie comes from a grace note that stays before them.
using grace_ties = std::vector<pitch>;

/// Ties, beams and syllables read backwards; lines are done before (moved_lines.hpp).
chord_rest turned_chord(chord_rest x, const grace_ties& from_grace);

/// The ties that grace notes lead into the note behind them.
void add_grace_ties(const music& m, grace_ties& out);

}  // namespace fermata
