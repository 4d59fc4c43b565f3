#pragma once

#include "midi/ports/jack_client.hpp"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace fermata::midi {

/// JACK's MIDI ports. Event times are exact to the frame, up to jitter of the server: a message
/// is placed at the frame in which it is due, two periods after it was sent at the latest.

/// The destinations: "jack:client:port". Those of Fermata itself are left out.
std::vector<device> jack_devices(jack_client_t* client);
/// The sources, likewise.
std::vector<device> jack_sources(jack_client_t* client);

/// A port of ours, connected to `destination` (JACK's name of a port), or to nothing if it is
/// empty: then it is called "Fermata" and others connect to it. `client_name`: of a new client; the
/// server adds a number to a name that is in use.
sound_result<std::shared_ptr<output_port>> open_jack_port(const std::string& client_name,
                                                          const std::string& destination);

/// Calls `changed` when ports come or go, or when the server ends, as long as it exists.
class jack_watcher {
public:
  /// Null: no server is running.
  static std::unique_ptr<jack_watcher> start(std::function<void()> changed);
  jack_client_t* client() const { return client_.get(); }
  /// False: the server has ended.
  bool is_alive() const;
  ~jack_watcher();

private:
  jack_watcher() = default;
  struct shared;
  std::unique_ptr<shared> state_;
  jack_client_ptr client_;
};

}  // namespace fermata::midi
