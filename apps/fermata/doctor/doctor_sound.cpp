#include "apps/fermata/doctor/doctor_finding.hpp"
#include "midi/sound/sound_library.hpp"
#include "midi/transport/transport_thread.hpp"

#include <algorithm>
#include <system_error>

// The playback devices, and whether playback keeps time on a busy machine.

namespace fermata::app {

namespace {

using level_t = finding::level_t;

finding device_finding(const std::vector<midi::device>& devices) {
  auto has_synth =
      std::any_of(devices.begin(), devices.end(), [](auto& d) { return d.id == midi::synth_id; });
  auto ports = std::count_if(devices.begin(), devices.end(), [](auto& d) {
    return d.id != midi::synth_id && d.id != midi::virtual_id;
  });
  if (!has_synth && ports == 0)
    return {level_t::note, "sound", "no synthesizer and no MIDI ports", {}};
  std::string text = has_synth ? "the synthesizer is available" : "no synthesizer";
  text += ports == 0   ? "; no MIDI ports"
          : ports == 1 ? "; 1 MIDI port"
                       : "; " + std::to_string(ports) + " MIDI ports";
  return {level_t::fine, "sound", std::move(text), {}};
}

finding priority_finding() {
  try {
    midi::transport_thread transport{[](midi::transport_event_t) {}};
    if (transport.is_real_time())
      return {level_t::fine, "sound", "playback has real-time priority", {}};
    return {level_t::note, "sound",
            "playback has no real-time priority: notes may be late on a busy machine",
            "Grant `rtprio` to your user in /etc/security/limits.d; see docs/midi.md."};
  } catch (const std::system_error& e) {
    return {level_t::wrong, "sound", std::string{"playback cannot be started: "} + e.what(),
            "Close other programs; the system has no threads or files left."};
  }
}

}  // namespace

findings examine_sound() {
  auto system = midi::load_sound_system();
  if (!system) return {{level_t::note, "sound", system.error().message, system.error().advice}};
  findings all{device_finding((*system)->devices())};
  for (auto& m : (*system)->missing())
    all.push_back({level_t::note, "sound", m.message, m.advice});
  all.push_back(priority_finding());
  return all;
}

}  // namespace fermata::app
