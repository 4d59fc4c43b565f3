#include "apps/fermata/commands/sound_commands.hpp"
#include "apps/fermata/doctor/doctor_finding.hpp"
#include "midi/sound/device_choice.hpp"
#include "midi/sound/sound_library.hpp"
#include "midi/transport/transport_thread.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <system_error>

// The playback devices, and whether playback keeps time on a busy machine.

namespace fermata::app {

namespace {

using level_t = finding::level_t;

finding synth_finding(midi::sound_system& system) {
  auto synth = system.examine_synth(synth_of({}, std::nullopt));
  if (synth)
    return {
        level_t::fine,
        "sound",
        fmt::format("the synthesizer plays on {}, with {}", synth->audio_output, synth->soundfont),
        {}};
  auto& why = synth.error();
  auto is_font = why.kind == midi::sound_failure::kind_t::no_soundfont;
  auto setting = is_font ? "soundfont" : "audio-output";
  auto value = sound_setting(setting);
  if (value.empty()) return {level_t::note, "sound", "no synthesizer: " + why.message, why.advice};
  // A sound server may be started later; a file that was named should be there.
  return {
      is_font ? level_t::wrong : level_t::note, "sound",
      fmt::format("no synthesizer: {} (setting {} = {})", why.message, setting, value),
      fmt::format("Run `fermata config set {} auto` to have one chosen automatically.", setting)};
}

/// Whether the device of the settings is there; it may be connected later.
findings device_findings(const std::vector<midi::device>& devices) {
  auto word = sound_setting("midi-device");
  if (word.empty()) return {};
  auto chosen = midi::chosen_device(devices, word);
  if (chosen) return {};
  return {{level_t::note, "sound",
           fmt::format("{} (setting midi-device = {})", chosen.error().message, word),
           chosen.error().advice.empty() ? "`fermata devices` lists the devices."
                                         : chosen.error().advice}};
}

finding port_finding(const std::vector<midi::device>& devices) {
  auto ports = std::count_if(devices.begin(), devices.end(), [](auto& d) {
    return d.id != midi::synth_id && d.id != midi::virtual_id;
  });
  if (ports == 0) return {level_t::note, "sound", "no MIDI ports", {}};
  return {level_t::fine,
          "sound",
          ports == 1 ? "1 MIDI port" : std::to_string(ports) + " MIDI ports",
          {}};
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
  auto devices = (*system)->devices();
  findings all{synth_finding(**system), port_finding(devices)};
  for (auto& f : device_findings(devices))
    all.push_back(f);
  for (auto& m : (*system)->missing_inputs())
    all.push_back({level_t::note, "sound", m.message, m.advice});
  all.push_back(priority_finding());
  return all;
}

}  // namespace fermata::app
