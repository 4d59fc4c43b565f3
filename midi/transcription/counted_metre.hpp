#pragma once

#include "core/music/meter.hpp"
#include "core/result.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace fermata::midi {

/// The grid on which rhythms are recognized, in ticks: thirds, fifths and eighths of a quarter note
/// are whole numbers.
constexpr int grid_of_quarter = 120;
constexpr int grid_of_eighth = grid_of_quarter / 2, grid_of_sixteenth = grid_of_quarter / 4;
constexpr int grid_of_triplet = grid_of_quarter / 3;     ///< of eighths
constexpr int grid_of_quintuplet = grid_of_quarter / 5;  ///< of sixteenths

/// A metre as it is counted: in quarters, or in dotted quarters.
struct counted_metre {
  int beats = 4;             ///< of a measure
  bool is_compound = false;  ///< beats of three eighths
  bool operator==(const counted_metre&) const = default;

  constexpr int beat_length() const {
    return is_compound ? 3 * grid_of_eighth : grid_of_quarter;
  }  ///< in ticks
  constexpr int measure_length() const { return beats * beat_length(); }
};

/// The metres that are known: 2/4, 3/4, 4/4, 6/8, 9/8, 12/8, which are looked for, and 5/4. Others
/// that sound the same (2/2, 3/8) are not distinguished.
constexpr std::array<counted_metre, 7> counted_metres{
    {{2, false}, {3, false}, {4, false}, {2, true}, {3, true}, {4, true}, {5, false}}};
/// Those at the beginning of `counted_metres` that are looked for: rare metres explain any rhythm
/// in some way.
constexpr std::size_t usual_metres = 6;

/// How strong a position of the measure is.
enum class metric_level : std::uint8_t {
  downbeat,
  half_measure,  ///< of a measure of two or four beats
  beat,
  eighth,
  sixteenth,
  finer,    ///< and quintuplets
  triplet,  ///< of eighths, in simple metres
};
constexpr std::size_t metric_levels = 7;

/// `position`: ticks from the beginning of the beat with this index.
metric_level level_of(int position, int beat, const counted_metre& metre);

time_signature signature_of(const counted_metre& metre);
/// The metre with this time signature: "6/8". Error `out_of_range` with the list of those that can
/// be recognized.
result<counted_metre> metre_called(const std::string& name);

}  // namespace fermata::midi
