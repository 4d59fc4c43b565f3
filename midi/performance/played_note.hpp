#pragma once

#include "core/music/time.hpp"

#include <cstddef>
#include <cstdint>

namespace fermata::midi {

/// A note on its way from the score to the events of a part. An ornamented note becomes several.
struct played_note {
  quarters onset, length;  ///< unfolded time
  int cents = 6000;        ///< sounding, in hundredths of a semitone above MIDI key 0
  double velocity = 90;    ///< before rounding
  std::size_t origin = 0;  ///< index into the sounding notes
  int slide = 0;           ///< slides this much, in cents, from a quarter of its length to 3/4
  bool unpitched = false;
};

}  // namespace fermata::midi
