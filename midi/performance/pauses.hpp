#pragma once

#include "core/score/model/score.hpp"

#include <vector>

namespace fermata::midi {

/// Where the written score stands still: fermatas, which lengthen what they stand on, and
/// caesuras, at which everybody stops. Breath marks take their time from the note before
/// (articulation.hpp), so that the beat goes on.

/// A stretch of the written score that is slower. Times are quarters from its beginning.
struct held_time {
  quarters from, to;
  double factor = 1;         ///< how much longer it takes
  double extra_seconds = 0;  ///< and how much more
};

struct pauses {
  std::vector<held_time> held;     ///< in order, none overlaps the next
  std::vector<quarters> caesuras;  ///< in order; notes that end here end `caesura_gap` before
};

/// A 16th, so that notes that end at a caesura are silent while it lasts. Two seconds in a shorter
/// time would be a tempo that a MIDI file cannot hold.
inline constexpr rational caesura_gap{1, 4};

/// A fermata makes what it stands on 1.5 times as long; a double-angled one (very short) 1.25, a
/// square one (long) 2, a double-square one (very long) 3 times. The factors are our choice;
/// MuseScore 4 (fermata.cpp) has 2 for a normal one, 3 and 4 for the longer ones. Where several
/// parts have one that ends at the same time, the shortest note counts. A caesura adds two seconds,
/// as in MuseScore 4 (breath.cpp); a fermata on a barline is a silence there (Gould, Behind Bars,
/// "Pauses"), for which we take the time of a caesura. `starts` as by `measure_starts`.
pauses pauses_of(const score& s, const std::vector<quarters>& starts);

}  // namespace fermata::midi
