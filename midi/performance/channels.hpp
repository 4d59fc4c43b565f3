#pragma once

#include "core/result.hpp"
#include "midi/performance/instrument_sound.hpp"
#include "midi/performance/performance.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace fermata::midi {

/// Giving channels to the instruments of a score.

inline constexpr std::uint8_t percussion_channel = 9;

/// An instrument of a part and how many lanes (lanes.hpp) it needs.
struct channel_request {
  std::uint32_t part = 0;
  instrument_sound sound;
  std::size_t lanes = 1;
};

struct channel_place {
  std::uint32_t track = 0;
  std::uint8_t port = 0, channel = 0;
};

struct channel_plan {
  std::vector<track> tracks;                       ///< the first is everybody's
  std::vector<std::vector<channel_place>> places;  ///< of each request, lane by lane
};

/// The channels that the score asks for are given first, on port 0, to the first who asks. The
/// others follow in score order; a part stays on one port if it fits. Percussion has channel 9 of
/// a port, shared by what sounds alike. Every part has a track, with a further one for each port
/// that it reaches into. Error `out_of_range`: 128 ports, as many as a file can name, do not do.
[[nodiscard]] result<channel_plan> channels_for(const score& s,
                                                const std::vector<channel_request>& requests);

}  // namespace fermata::midi
