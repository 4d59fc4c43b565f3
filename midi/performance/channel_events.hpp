#pragma once

#include "core/score/analysis/sounding.hpp"
#include "midi/performance/channels.hpp"
#include "midi/performance/part_pedals.hpp"
#include "midi/performance/part_voices.hpp"
#include "midi/performance/performance.hpp"

#include <vector>

namespace fermata::midi {

/// All that is needed to write the messages of all channels.
struct voices_with_channels {
  const score& written;
  const unfolded_time& time;
  const std::vector<sounding_note>& sounding;
  const std::vector<part_voices>& voices;                 ///< part by part
  const std::vector<part_pedals>& pedals;                 ///< part by part
  const std::vector<std::vector<channel_place>>& places;  ///< of all requests, in turn
};

/// Adds the notes, bends and pedals, and before them what sets each channel up: bank, program,
/// volume, pan and the range of the bends (registered parameter 0).
void add_channel_events(const voices_with_channels& v, performance& out);

}  // namespace fermata::midi
