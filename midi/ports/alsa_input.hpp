#pragma once

#include "midi/sound/input_port.hpp"
#include "midi/sound/sound_system.hpp"

#include <memory>
#include <string>

namespace fermata::midi {

/// Inputs of the ALSA sequencer, through RtMidi.

/// Connected to `source` (an id without "alsa:"), or a virtual port "Fermata input" if it is empty.
/// Messages are stamped on the thread that takes them from the sequencer.
sound_result<std::shared_ptr<input_port>> open_alsa_input(const std::string& source,
                                                          message_receiver receiver);

}  // namespace fermata::midi
