#pragma once

#include "midi/sound/sound_system.hpp"

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace fermata::midi {

/// Ports of the ALSA sequencer, through RtMidi.

/// Whether there is a sequencer; prints nothing. RtMidi objects are made only if there is, since
/// they complain on standard error otherwise.
bool has_alsa_sequencer();

/// The destinations: "alsa:client:port", without the numbers that change with each start.
std::vector<device> alsa_devices();

/// "Midi Through:Midi Through Port-0 14:0" without the numbers.
std::string stable_alsa_name(std::string name);
/// The device with this name, as RtMidi lists it; empty: it is a port of Fermata.
std::optional<device> alsa_device(const std::string& name_with_numbers);

/// Connected to `destination` (an id without "alsa:"), or a virtual port "Fermata" if it is empty.
sound_result<std::shared_ptr<output_port>> open_alsa_port(const std::string& destination);

/// A port that is open. The watcher says when the other end has gone, which RtMidi does not.
class open_alsa_port_state {
public:
  explicit open_alsa_port_state(std::string other = {}) : other_(std::move(other)) {}
  /// The stable name of the other end; empty: a virtual port.
  const std::string& other() const { return other_; }
  bool is_gone() const noexcept { return gone_; }
  void set_gone() noexcept { gone_ = true; }

private:
  std::string other_;
  std::atomic<bool> gone_{false};
};
/// The watcher looks after these from now on.
void watch_alsa_destination(const std::shared_ptr<open_alsa_port_state>& port);
void watch_alsa_source(const std::shared_ptr<open_alsa_port_state>& port);

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
