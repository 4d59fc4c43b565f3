#pragma once

#include "core/music/time.hpp"
#include "midi/performance/pitch_curve.hpp"

#include <cstddef>
#include <cstdint>

namespace fermata::midi {

/// A note on its way from the score to the events of a part. An ornamented note becomes several.
struct played_note {
  quarters onset, length;  ///< unfolded time
  int cents = 6000;        ///< sounding, in hundredths of a semitone above MIDI key 0
  double velocity = 90;    ///< before rounding
  std::size_t origin = 0;  ///< index into the sounding notes
  pitch_curve curve{};     ///< empty: the pitch stays
  bool unpitched = false;
};

}  // namespace fermata::midi
