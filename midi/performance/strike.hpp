#pragma once

#include "core/music/time.hpp"
#include "midi/performance/event.hpp"

#include <cstdint>
#include <vector>

namespace fermata::midi {

/// A key that is struck and released: a note with its channel.
struct strike {
  quarters onset, end;
  std::uint32_t track = 0;
  std::uint8_t port = 0, channel = 0, key = 60, velocity = 64;
  std::uint32_t origin = 0;  ///< index into the sounding notes
};

/// Makes sure that no key of a channel is struck while it is down, as the first note off would end
/// both notes. Notes that begin together become one, the louder and longer one. A key that is
/// struck again is released first, and stays down until both notes are over.
void separate_unisons(std::vector<strike>& strikes);

}  // namespace fermata::midi
