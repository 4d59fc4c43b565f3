#pragma once

#include "midi/sound/sound_system.hpp"

#include <jack/jack.h>

#include <functional>
#include <memory>
#include <string>

namespace fermata::midi {

struct jack_client_closer {
  void operator()(jack_client_t* c) const noexcept;
};
using jack_client_ptr = std::unique_ptr<jack_client_t, jack_client_closer>;

/// Connects to the JACK server that runs, or to PipeWire in its place; starts none and prints
/// nothing. `ended` is called on a thread of JACK when the server ends; nobody else may set a
/// shutdown callback, as a client has only one. JACK may change the name if another client has it;
/// a client must not have the server's name, whose notification socket it would replace, so it
/// gets another one.
///
/// Failures: `no_server`; `lost` when the server has ended and clients of it still exist. Opening
/// another one, or only trying to, would delete them inside libjack, and closing them later would
/// corrupt its memory. So all clients of a server that has ended are closed first.
sound_result<jack_client_ptr> open_jack_client(const std::string& name,
                                               std::function<void()> ended = {});

}  // namespace fermata::midi
