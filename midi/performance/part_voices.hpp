#pragma once

#include "midi/performance/channels.hpp"
#include "midi/performance/lanes.hpp"
#include "midi/performance/part_pedals.hpp"
#include "midi/performance/played_note.hpp"

#include <cstdint>
#include <vector>

namespace fermata::midi {

/// A note with the instrument and the lane that play it.
struct voiced_note {
  played_note note;
  std::uint32_t request = 0;  ///< index into the requests of the part
  std::uint32_t lane = 0;
  bool bends = false;  ///< the lane is bent before the note
  bent_key key;
};

/// A part whose notes know their instruments. It waits for its channels.
struct part_voices {
  std::vector<channel_request> requests;
  std::vector<voiced_note> notes;  ///< by onset
  int bend_range = usual_bend_range;
};

/// `played` by onset; `sounding` is what their origins point to.
part_voices voices_of(const part& p, std::uint32_t index, const std::vector<played_note>& played,
                      const std::vector<sounding_note>& sounding, const part_pedals& pedals);

}  // namespace fermata::midi
