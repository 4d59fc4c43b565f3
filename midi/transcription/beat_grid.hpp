#pragma once

#include "core/result.hpp"
#include "midi/transcription/counted_metre.hpp"

#include <chrono>
#include <cstddef>
#include <utility>
#include <vector>

namespace fermata::midi {

/// Beats that are known, as those of a metronome that was played to: the first one is a downbeat.
/// Between two beats time passes evenly; before the first and after the last one it passes as
/// between those beside them.
class beat_grid {
public:
  /// A metronome. `quarter_seconds` is at least 1/1000.
  static beat_grid steady(std::chrono::nanoseconds first_downbeat, double quarter_seconds);
  /// The times of all beats of a metre. Error `out_of_range` if there are fewer than two, or if one
  /// is not at least a hundredth of a second after the last one.
  static result<beat_grid> of_beats(std::vector<std::chrono::nanoseconds> times,
                                    const counted_metre& metre);

  /// In ticks from the first downbeat; negative before it.
  double position_at(std::chrono::nanoseconds time) const;
  /// The tempo there.
  double quarter_seconds_at(std::chrono::nanoseconds time) const;

private:
  beat_grid(std::vector<std::chrono::nanoseconds> times, int ticks_apart)
    : times_(std::move(times)), ticks_apart_(ticks_apart) {}
  /// The index of the beat that begins the interval for a time.
  std::size_t beat_before(std::chrono::nanoseconds time) const;
  double seconds_after(std::size_t beat) const;  ///< to the next one

  std::vector<std::chrono::nanoseconds> times_;  ///< rising, at least two
  int ticks_apart_ = grid_of_quarter;
};

}  // namespace fermata::midi
