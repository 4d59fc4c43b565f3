#pragma once

#include "midi/transcription/performed_note.hpp"
#include "midi/transcription/rhythm_tracker.hpp"

#include <vector>

namespace fermata::midi {

/// The tempo curve of a performance: between places where notes begin, time passes evenly.
class beat_times {
public:
  /// `notes` in order of `on`, not empty, and where they are.
  beat_times(const std::vector<performed_note>& notes, const tracked_rhythm& rhythm);

  /// In ticks, as `tracked_rhythm::positions`; before the first and after the last note at the
  /// tempo there.
  double position_at(std::chrono::nanoseconds time) const;

private:
  struct point {
    double time = 0, position = 0;
  };
  std::vector<point> points_;  ///< strictly rising in both
  double first_quarter_ = .5, last_quarter_ = .5;
};

}  // namespace fermata::midi
