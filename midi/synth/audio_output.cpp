#include "midi/synth/audio_output.hpp"

#include <array>

namespace fermata::midi {

namespace {

struct output_kind {
  std::string_view name;
  sound_result<std::unique_ptr<audio_output>> (*open)();
};
/// In the order in which they are tried: JACK only runs if the user started it on purpose, and a
/// sound server knows better than ALSA which device to use.
constexpr std::array<output_kind, 3> kinds = {
    {{"jack", open_jack_output}, {"pulse", open_pulse_output}, {"alsa", open_alsa_output}}};

struct opened_output {
  std::string_view name;
  std::unique_ptr<audio_output> output;
};

sound_result<opened_output> first_that_opens(const std::string& name) {
  std::string reasons;
  bool known = name.empty();
  for (auto& kind : kinds) {
    if (!name.empty() && kind.name != name) continue;
    known = true;
    auto opened = kind.open();
    if (opened) return opened_output{kind.name, std::move(*opened)};
    reasons += (reasons.empty() ? "" : "; ") + opened.error().message;
  }
  if (!known)
    return tl::unexpected(sound_failure{sound_failure::kind_t::no_device,
                                        "there is no sound output `" + name + "`",
                                        "Choose jack, pulse or alsa."});
  return tl::unexpected(sound_failure{sound_failure::kind_t::no_device,
                                      "no sound output is available: " + reasons,
                                      "Start PipeWire, PulseAudio or JACK, or play on a MIDI "
                                      "device."});
}

}  // namespace

sound_result<std::unique_ptr<audio_output>> open_audio_output(const std::string& name) {
  auto opened = first_that_opens(name);
  if (!opened) return tl::unexpected(opened.error());
  return std::move(opened->output);
}

sound_result<std::string> audio_output_in_use(const std::string& name) {
  auto opened = first_that_opens(name);
  if (!opened) return tl::unexpected(opened.error());
  return std::string{opened->name};
}

}  // namespace fermata::midi
