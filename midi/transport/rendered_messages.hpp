#pragma once

#include "midi/sound/sound_system.hpp"
#include "midi/transport/playback_plan.hpp"

#include <vector>

namespace fermata::midi {

/// A range of a plan as messages for a sound file, from time 0 on: first the state of the channels
/// there, last the ends of the notes that are still held. `silent`: parts that are left out, by
/// index; missing ones are not.
std::vector<rendered_message> rendered_messages(const playback_plan& plan, time_range range,
                                                const std::vector<bool>& silent);

}  // namespace fermata::midi
