#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

namespace fermata::midi {

/// While the sustain pedal is down, notes that are let go sound on.
struct pedal_span {
  std::chrono::nanoseconds down{}, up{};
  bool operator==(const pedal_span&) const = default;
};

/// Collects the spans of a channel from the values of controller 64, in order of time. By MIDI 1.0
/// the pedal is down from 64 on.
class pedal_spans {
public:
  void move(std::chrono::nanoseconds at, std::uint8_t value);
  /// All spans; a pedal that is still down goes up at the end.
  std::vector<pedal_span> until(std::chrono::nanoseconds end) const;

private:
  std::vector<pedal_span> spans_;
  std::optional<std::chrono::nanoseconds> down_;
};

/// How long a note sounds that is let go at `off`: at least as long as that.
std::chrono::nanoseconds sounding_end(std::chrono::nanoseconds off,
                                      const std::vector<pedal_span>& pedal);

}  // namespace fermata::midi
