#pragma once

#include "midi/transcription/counted_metre.hpp"

#include <cstdint>

namespace fermata::midi {

/// Of a quarter: no sixteenth, 32nd and so on is there.
constexpr bool is_tuplet_position(std::int64_t ticks) { return ticks % (grid_of_quarter / 8) != 0; }

/// Where a position is played if eighths are swung 2:1, both in ticks. The notes of tuplets are not
/// swung, as in midi/performance/swing.hpp.
std::int64_t swung_position(std::int64_t ticks);

}  // namespace fermata::midi
