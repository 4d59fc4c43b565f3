#pragma once

#include "core/score/model/score.hpp"

#include <map>
#include <vector>

namespace fermata::midi {

/// How loud a part is at each place of the written score, in velocities before rounding.
///
/// Dynamics and hairpins hold for all staves of the part, unless another staff has its own at the
/// same place. A hairpin changes the level evenly; it goes to the dynamic at its end (up to a
/// quarter note behind it) if that is in its direction, else one level further. "cresc." and
/// "dim." in words go to the next dynamic, and mean nothing without one. `<sound dynamics>` counts
/// more than the mark beside it.
class part_dynamics {
public:
  /// `starts` as by `measure_starts`.
  part_dynamics(const part& p, const std::vector<quarters>& starts);

  /// The level for a note of this staff that begins here, attacks such as sfz included.
  double at(int staff, quarters written) const;

private:
  struct ramp {
    quarters from, to;
    double first = 0, last = 0;
  };
  struct staff_levels {
    std::vector<ramp> ramps;             ///< by beginning
    std::map<quarters, double> attacks;  ///< of notes at just this place
  };
  struct event;
  class reader;

  static double level_at(const std::vector<ramp>& ramps, quarters at);

  std::vector<staff_levels> staves_;  ///< the first is staff 1
};

}  // namespace fermata::midi
