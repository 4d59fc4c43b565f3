#pragma once

#include "midi/sound/input_port.hpp"
#include "midi/sound/sound_system.hpp"

#include <memory>
#include <string>
#include <vector>

namespace fermata::midi {

/// Inputs of the ALSA sequencer, through RtMidi.

/// The sources: "alsa:client:port", without those of Fermata itself.
std::vector<device> alsa_sources();

/// Connected to `source` (an id without "alsa:"), or a virtual port "Fermata input" if it is empty.
/// Messages are stamped on the thread that takes them from the sequencer.
sound_result<std::shared_ptr<input_port>> open_alsa_input(const std::string& source,
                                                          message_receiver receiver);

}  // namespace fermata::midi
