#pragma once

#include "midi/sound/sound_system.hpp"

#include <jack/jack.h>

#include <memory>
#include <string>

namespace fermata::midi {

struct jack_client_closer {
  void operator()(jack_client_t* c) const noexcept { jack_client_close(c); }
};
using jack_client_ptr = std::unique_ptr<jack_client_t, jack_client_closer>;

/// Connects to the JACK server that runs, or to PipeWire in its place; starts none and prints
/// nothing. Failure `no_server`. JACK may change the name if another client has it; a client must
/// not have the server's name, whose notification socket it would replace, so it gets another one.
sound_result<jack_client_ptr> open_jack_client(const std::string& name);

}  // namespace fermata::midi
