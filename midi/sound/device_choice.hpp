#pragma once

#include "midi/sound/sound_system.hpp"

#include <string>
#include <vector>

namespace fermata::midi {

/// The device that a word denotes: by id, by name, or by a part of either that only one has;
/// without a word the synthesizer, or else the first port of another program or instrument. Failure
/// `no_device`, with the nearest name as advice.
sound_result<device> chosen_device(const std::vector<device>& all, const std::string& word);

}  // namespace fermata::midi
