#pragma once

#include "core/music/rational.hpp"
#include "midi/smf/file.hpp"

#include <optional>
#include <vector>

namespace fermata::midi::smf {

/// From ticks to the exact positions of notation, in quarters from the beginning. Only what lies on
/// a grid that notation has is converted; free performance is for midi/transcription.

/// The position of a tick, if notation has it: multiples of a 256th note, of a third of a 32nd, of
/// a fifth or seventh of a sixteenth. Where a division cannot express a position (thirds of 100
/// ticks), a tick beside it counts.
std::optional<rational> grid_point(ticks at, int ticks_per_quarter);

/// The nearest sixteenth: for tempo and text, whose place matters less.
rational nearest_sixteenth(ticks at, int ticks_per_quarter);

/// A note that begins on the grid, and its end as it was played.
struct played_span {
  rational on;
  ticks off = 0;
};

/// Where notes end in notation, one for each span. The spans are those of a part, in order of `on`.
///
/// Players and programs release notes before the next one begins. If more notes of a part end a
/// little early than last to another note or a single note value, the former are lengthened: to the
/// next note, or to a note value. Else an end stays where it is if it is at a sixteenth, after a
/// single note value, or where notes of the part can begin too; another one moves to the nearest
/// beat, half beat, quarter or third of a beat and so on that is at most a fifth of the note away,
/// but not into the next note that it did not reach. `moved` counts them.
std::vector<rational> note_ends(const std::vector<played_span>& spans, int ticks_per_quarter,
                                std::size_t& moved);

}  // namespace fermata::midi::smf
