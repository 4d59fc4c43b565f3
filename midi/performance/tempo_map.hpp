#pragma once

#include "core/music/time.hpp"

#include <chrono>
#include <cstdint>
#include <vector>

namespace fermata::midi {

/// The only way from quarter notes to time and back: a list of constant tempos. Each is a whole
/// number of microseconds for a quarter note, as in a Standard MIDI File, so that a file plays
/// exactly as long as the performance does. Ritardandos are many short steps.
class tempo_map {
public:
  struct step {
    quarters from;
    std::int64_t microseconds_per_quarter = 500'000;
    bool operator==(const step&) const = default;
  };

  /// 120 quarter notes per minute, which is the tempo where none is said (SMF 1.0).
  tempo_map();
  /// Steps in order of time; of several at the same time the last one holds. Before the first one
  /// the tempo is 120. A step that does not change the tempo is left out.
  explicit tempo_map(const std::vector<step>& steps);

  /// From the beginning, rounded to nanoseconds. Before the beginning: 0; never beyond 290 years.
  std::chrono::nanoseconds time_at(quarters at) const;
  /// The inverse, as a floating point number of quarter notes: for displays.
  double quarters_at(std::chrono::nanoseconds time) const;
  std::int64_t microseconds_per_quarter_at(quarters at) const;

  /// The first one begins at 0.
  const std::vector<step>& steps() const { return steps_; }
  bool operator==(const tempo_map&) const = default;

private:
  std::size_t step_at(quarters at) const;

  std::vector<step> steps_;
  std::vector<std::chrono::nanoseconds> starts_;  ///< of each step
};

}  // namespace fermata::midi
