#include "midi/ports/port_system.hpp"

#include "midi/ports/alsa_input.hpp"
#include "midi/ports/guard_process.hpp"
#include "midi/ports/jack_input.hpp"
#include "midi/ports/recording.hpp"

#include <iterator>
#include <string_view>

namespace fermata::midi {

namespace {

constexpr std::string_view jack_prefix = "jack:", alsa_prefix = "alsa:";

}  // namespace

/// The client that watches the server, which also lists its ports: connected when first needed,
/// and anew when the server it belonged to has ended.
jack_watcher* port_system::jack() {
  if (jack_ && !jack_->is_alive()) jack_.reset();
  if (!jack_)
    jack_ = jack_watcher::start([this] {
      if (changed_) changed_();
    });
  return jack_.get();
}

/// Ports of ALSA notice only through it that the other end has gone, so it is there as soon as one
/// is opened, whether or not changes are to be reported.
void port_system::start_alsa_watcher() {
  if (!alsa_)
    alsa_ = alsa_watcher::start([this] {
      if (changed_) changed_();
    });
}

std::vector<device> port_system::devices() {
  std::vector<device> all;
  auto server = jack();
  if (server) all = jack_devices(server->client());
  auto more = alsa_devices(alsa_direction::destinations);
  all.insert(all.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
  if (server || has_alsa_sequencer())
    all.push_back(
        {virtual_id, "Fermata, a port to which other programs connect", server ? "JACK" : "ALSA"});
  if (auto recording = recording_device()) all.push_back(std::move(*recording));
  return all;
}

std::vector<sound_failure> port_system::missing() {
  std::vector<sound_failure> all;
  if (!jack())
    all.push_back({sound_failure::kind_t::no_server, "no JACK server is running",
                   "Start JACK or PipeWire (packages `jackd2` or `pipewire-jack`)."});
  if (!has_alsa_sequencer())
    all.push_back({sound_failure::kind_t::no_server, "there is no ALSA sequencer",
                   "Load the kernel module `snd-seq`; containers need /dev/snd."});
  return all;
}

bool port_system::is_port(const std::string& id) {
  return id == virtual_id || id == memory_id || id.starts_with(jack_prefix) ||
         id.starts_with(alsa_prefix);
}

sound_result<std::shared_ptr<output_port>> port_system::open(const std::string& id) {
  std::unique_ptr<guard_process> guard;
  // Without a guard the port works as well, unless the program is killed. It starts while the port
  // is opened: each takes as long as the other.
  if (!guard_program_.empty() && id != virtual_id && id != memory_id)
    guard = guard_process::start(guard_program_,
                                 id.starts_with(alsa_prefix) ? alsa_id_with_numbers(id) : id);
  auto port = open_unguarded(id);
  if (!port || !guard || !guard->wait_until_connected()) return port;
  return with_guard(std::move(*port), std::move(guard));
}

sound_result<std::shared_ptr<output_port>> port_system::open_virtual_port() {
  auto port = open_jack_port(client_name_, {});
  if (port || port.error().kind != sound_failure::kind_t::no_server) return port;
  return open_alsa_port({});
}

sound_result<std::shared_ptr<output_port>> port_system::open_unguarded(const std::string& id) {
  if (id == memory_id) return open_recording();
  if (id == virtual_id) return open_virtual_port();
  if (id == jack_prefix || id == alsa_prefix)
    return tl::unexpected(sound_failure{sound_failure::kind_t::no_device,
                                        "`" + id + "` is not the id of a port",
                                        "`fermata devices` lists the ports."});
  if (id.starts_with(alsa_prefix)) {
    start_alsa_watcher();
    return open_alsa_port(id.substr(alsa_prefix.size()));
  }
  return open_jack_port(client_name_, id.substr(jack_prefix.size()));
}

std::vector<device> port_system::input_devices() {
  std::vector<device> all;
  auto server = jack();
  if (server) all = jack_sources(server->client());
  auto more = alsa_devices(alsa_direction::sources);
  all.insert(all.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
  if (server || has_alsa_sequencer())
    all.push_back({virtual_id, "Fermata input, a port to which other programs connect",
                   server ? "JACK" : "ALSA"});
  return all;
}

sound_result<std::shared_ptr<input_port>> port_system::open_input(const std::string& id,
                                                                  message_receiver receiver) {
  auto server = jack();
  if (id == virtual_id)
    return server ? open_jack_input({}, std::move(receiver))
                  : open_alsa_input({}, std::move(receiver));
  if (id.starts_with(alsa_prefix) && id != alsa_prefix) {
    start_alsa_watcher();
    return open_alsa_input(id.substr(alsa_prefix.size()), std::move(receiver));
  }
  auto name = id.starts_with(jack_prefix) ? id.substr(jack_prefix.size()) : std::string{};
  if (name.empty() || (server && !jack_port_by_name(server->client(), name.c_str())))
    return tl::unexpected(sound_failure{sound_failure::kind_t::no_device,
                                        "there is no MIDI input `" + id + "`",
                                        "`:midi inputs` lists the inputs."});
  return open_jack_input(name, std::move(receiver));
}

void port_system::watch(std::function<void()> changed) {
  // Both watchers end before what they call is replaced.
  jack_.reset();
  alsa_.reset();
  changed_ = std::move(changed);
  if (!changed_) return;
  jack();
  start_alsa_watcher();
}

}  // namespace fermata::midi
