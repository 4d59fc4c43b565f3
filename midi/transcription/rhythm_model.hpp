#pragma once

#include "midi/transcription/counted_metre.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace fermata::midi {

/// What an onset is likely to be followed by, given the rhythm before it: a table of probabilities,
/// counted in scores (rhythm_counts.inc) and smoothed with estimates (rhythm_prior.inc).
class rhythm_model {
public:
  struct limits {
    int finest = 32;           ///< the shortest binary note value: 8, 16 or 32
    bool triplets = true;      ///< in simple metres
    bool quintuplets = false;  ///< of sixteenths, in simple metres
  };
  /// The rhythm before an onset: how the beats are divided, and the last advance.
  using context = std::uint8_t;
  static constexpr int divisions = 3, advances = 5;
  static constexpr context start = 4;  ///< nothing known

  struct step {
    std::int16_t advance = 0;  ///< in ticks
    context next = start;
    float log_probability = 0;
  };

  /// A melody has longer notes than a melody with its accompaniment.
  enum class texture : std::uint8_t { full, single_line };

  rhythm_model(bool is_compound, texture t, const limits& l);

  /// The steps from a position, in ticks from the beginning of the beat; empty: no onset is there.
  std::span<const step> steps(context c, int position) const {
    return steps_[static_cast<std::size_t>(c)][static_cast<std::size_t>(position)];
  }
  bool has_position(int position) const { return !steps(start, position).empty(); }

private:
  /// `position` and `advance` in ticks.
  void add_step(std::size_t c, int position, int advance, int next, double probability);
  /// Of sixteenths, on a beat.
  void add_quintuplets();

  static constexpr std::size_t longest_beat = 3 * grid_of_eighth;
  std::array<std::array<std::vector<step>, longest_beat>, divisions * advances> steps_;
};

}  // namespace fermata::midi
