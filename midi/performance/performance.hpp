#pragma once

#include "core/error.hpp"
#include "midi/performance/event.hpp"
#include "midi/performance/tempo_map.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fermata::midi {

/// One track: a part, or as much of it as one port has channels for.
struct track {
  std::string name;
  std::optional<std::uint32_t> part;  ///< index into `score::parts`; the first track has none
  std::uint8_t port = 0;              ///< 16 channels each
  bool operator==(const track&) const = default;
};

/// A score as it is played: all events, in order (`plays_before`). Track 0 has what concerns
/// everybody: tempo, time signatures and markers. The other tracks have the channel messages, key
/// signatures and lyrics of their part. Each track uses one port only. Tracks share no channel,
/// except that unpitched parts with the same drum kit share channel 9 of a port (MIDI's channel
/// 10).
struct performance {
  std::vector<track> tracks;
  std::vector<timed_event> events;
  tempo_map tempo;
  quarters end;  ///< of the piece, rests included
  /// What could not be played, `errc::left_out` each: marks without agreed notes
  /// (unplayed_marks.hpp), keys that MIDI does not have.
  std::vector<diagnostic> left_out;

  /// The number of ports that the tracks use.
  int ports() const;
  bool operator==(const performance&) const = default;
};

}  // namespace fermata::midi
