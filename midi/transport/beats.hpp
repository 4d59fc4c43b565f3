#pragma once

#include "midi/performance/event.hpp"

namespace fermata::midi {

/// The beats of a time signature: of three units each in compound metres, which are six, nine,
/// twelve... eighths or shorter. Longer units are counted one by one, 6/4 in six, which is our
/// choice.

quarters beat_length(const time_change& metre);
/// Of a whole measure, at least one.
int beats_in_measure(const time_change& metre);

}  // namespace fermata::midi
