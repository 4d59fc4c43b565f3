#pragma once

#include "midi/ports/jack_client.hpp"
#include "midi/sound/input_port.hpp"

#include <memory>
#include <string>

namespace fermata::midi {

/// A MIDI input of JACK, connected to `source` (JACK's name of a port), or to nothing if it is
/// empty: then it is called "Fermata input" and others connect to it. Messages are stamped with the
/// frame in which they arrived, less the latency that JACK reports for the source.
sound_result<std::shared_ptr<input_port>> open_jack_input(const std::string& source,
                                                          message_receiver receiver);

}  // namespace fermata::midi
