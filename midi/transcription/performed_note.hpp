#pragma once

#include <chrono>
#include <cstdint>

namespace fermata::midi {

/// A note as it was played.
struct performed_note {
  std::chrono::nanoseconds on{};   ///< since the beginning of the take
  std::chrono::nanoseconds off{};  ///< not before `on`
  std::uint8_t key = 60;           ///< MIDI key number
  std::uint8_t velocity = 64;
  std::uint8_t channel = 0;  ///< 0..15
  bool operator==(const performed_note&) const = default;
};

}  // namespace fermata::midi
