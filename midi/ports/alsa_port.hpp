#pragma once

#include "midi/ports/alsa_names.hpp"
#include "midi/sound/sound_system.hpp"

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

class RtMidi;

namespace fermata::midi {

/// Ports of the ALSA sequencer, through RtMidi.

/// Whether there is a sequencer; prints nothing. RtMidi objects are made only if there is, since
/// they complain on standard error otherwise.
bool has_alsa_sequencer();

/// Ports to which messages can be sent, and ports from which they come.
enum class alsa_direction : std::uint8_t { destinations, sources };

/// The devices: "alsa:client:port" (alsa_names.hpp).
std::vector<device> alsa_devices(alsa_direction which);

/// The id of a port with its numbers, by which another process finds it too: those of ports of one
/// name depend on when a process has first seen them. An id of no port that is there stays the
/// same.
std::string alsa_id_with_numbers(const std::string& id);

/// Connects `midi` to the port with this id, with or without numbers and without "alsa:"; answers
/// the full name of the port. Empty: there is none.
std::string connect_to_alsa_port(RtMidi& midi, alsa_direction which, const std::string& id,
                                 const std::string& own_name);

/// Connected to `destination` (an id without "alsa:"), or a virtual port "Fermata" if it is empty.
sound_result<std::shared_ptr<output_port>> open_alsa_port(const std::string& destination);

/// A port that is open. The watcher says when the other end has gone, which RtMidi does not.
class open_alsa_port_state {
public:
  explicit open_alsa_port_state(std::string other = {}) : other_(std::move(other)) {}
  /// The full name of the other end; empty: a virtual port.
  const std::string& other() const { return other_; }
  bool is_gone() const noexcept { return gone_; }
  void set_gone() noexcept { gone_ = true; }

private:
  std::string other_;
  std::atomic<bool> gone_{false};
};
/// The watcher looks after it from now on.
void watch_alsa_port(const std::shared_ptr<open_alsa_port_state>& port);

/// Calls `changed` when clients or ports come or go, as long as it exists.
class alsa_watcher {
public:
  /// Null: there is no sequencer.
  static std::unique_ptr<alsa_watcher> start(std::function<void()> changed);
  ~alsa_watcher();

private:
  alsa_watcher();
  struct impl;
  std::unique_ptr<impl> impl_;
};

}  // namespace fermata::midi
