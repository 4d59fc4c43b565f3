#pragma once

#include "midi/ports/alsa_port.hpp"
#include "midi/ports/jack_port.hpp"
#include "midi/sound/input_port.hpp"

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace fermata::midi {

/// The MIDI ports of all systems that answer.
class port_system {
public:
  /// `client_name`: by which the JACK server knows the clients that play.
  explicit port_system(std::string client_name = "fermata")
    : client_name_(std::move(client_name)) {}

  std::vector<device> devices();
  bool has_jack() { return jack() != nullptr; }
  std::vector<sound_failure> missing();
  /// Whether this is the id of a port, and not of something else.
  static bool is_port(const std::string& id);
  sound_result<std::shared_ptr<output_port>> open(const std::string& id);
  std::vector<device> input_devices();
  sound_result<std::shared_ptr<input_port>> open_input(const std::string& id,
                                                       message_receiver receiver);
  /// Ports that are opened from now on have a guard (guard_process.hpp), which `program` runs;
  /// empty: they have none. A virtual port has none, as it has no destination.
  void guard_with(std::string program) { guard_program_ = std::move(program); }
  void watch(std::function<void()> changed);

private:
  jack_watcher* jack();
  void start_alsa_watcher();
  sound_result<std::shared_ptr<output_port>> open_unguarded(const std::string& id);

  sound_result<std::shared_ptr<output_port>> open_virtual_port();

  std::string client_name_;
  std::string guard_program_;
  std::function<void()> changed_;
  std::unique_ptr<jack_watcher> jack_;
  std::unique_ptr<alsa_watcher> alsa_;
};

}  // namespace fermata::midi
