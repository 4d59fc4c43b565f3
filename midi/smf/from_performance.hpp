#pragma once

#include "midi/performance/performance.hpp"
#include "midi/smf/file.hpp"

namespace fermata::midi::smf {

struct performance_options {
  /// 0: everything in one track, as old devices want it; a performance for several ports stays in
  /// format 1, as one track has one port.
  int format = 1;
};

/// The file that plays a performance.
///
/// - The division is the smallest multiple of 480 ticks per quarter in which every event has an
///   exact place, so that tuplets stay exact; 10080 (2^5 * 3^2 * 5 * 7) with rounding if none is
///   below 32768. No note is shorter than a tick.
/// - Each track begins with its name. With more than one port, the track of each part says its
///   port (meta event 0x21, which is not in the standard, but widely used).
/// - The tempos are those of the tempo map, into whole microseconds for a quarter as it has them.
/// - All tracks end with the performance, so that a rest at the end is kept.
file from_performance(const performance& p, const performance_options& options = {});

}  // namespace fermata::midi::smf
