#include "midi/synth/fluid_engine.hpp"

#include <fluidsynth.h>
#include <glib.h>

#include <algorithm>
#include <atomic>
#include <mutex>

namespace fermata::midi {

struct fluid_engine::library {
  struct settings_freer {
    void operator()(fluid_settings_t* s) const noexcept { delete_fluid_settings(s); }
  };
  struct synth_freer {
    void operator()(fluid_synth_t* s) const noexcept { delete_fluid_synth(s); }
  };

  std::unique_ptr<fluid_settings_t, settings_freer> settings;
  std::unique_ptr<fluid_synth_t, synth_freer> synth;  // before the settings in destruction
};

namespace {

constexpr double loudest_gain = 10;  // FluidSynth's limit

void silence_fluidsynth() {
  static std::once_flag once;
  std::call_once(once, [] {
    for (int level = FLUID_PANIC; level < LAST_LOG_LEVEL; ++level)
      fluid_set_log_function(
          level, [](int, const char*, void*) {}, nullptr);
    // FluidSynth tries a damaged soundfont as one of another kind, with a library that complains
    // through GLib.
    g_log_set_default_handler([](const char*, GLogLevelFlags, const char*, void*) {}, nullptr);
  });
}

}  // namespace

fluid_engine::~fluid_engine() = default;

sound_result<std::unique_ptr<fluid_engine>> fluid_engine::make(const std::string& soundfont,
                                                               int rate, int groups, double gain) {
  silence_fluidsynth();
  std::unique_ptr<fluid_engine> made{new fluid_engine};
  made->fluid_ = std::make_shared<library>();
  made->groups_ = std::clamp(groups, 1, most_groups);
  auto& f = *made->fluid_;
  f.settings.reset(new_fluid_settings());
  fluid_settings_setnum(f.settings.get(), "synth.sample-rate", rate);
  fluid_settings_setnum(f.settings.get(), "synth.gain", std::clamp(gain, 0.0, loudest_gain));
  fluid_settings_setint(f.settings.get(), "synth.midi-channels", 16 * made->groups_);
  // One thread renders; others only tell it what to do through our queue.
  fluid_settings_setint(f.settings.get(), "synth.threadsafe-api", 0);
  f.synth.reset(new_fluid_synth(f.settings.get()));
  if (!f.synth)
    return tl::unexpected(
        sound_failure{sound_failure::kind_t::internal, "FluidSynth does not start", {}});
  if (fluid_synth_sfload(f.synth.get(), soundfont.c_str(), 1) == FLUID_FAILED)
    return tl::unexpected(sound_failure{sound_failure::kind_t::no_soundfont,
                                        "FluidSynth cannot read the soundfont " + soundfont,
                                        "Choose another one."});
  // Channel 10 of each group has drums; FluidSynth knows that only of the first.
  for (int g = 1; g < made->groups_; ++g)
    fluid_synth_set_channel_type(f.synth.get(), 16 * g + 9, CHANNEL_TYPE_DRUM);
  fluid_synth_program_reset(f.synth.get());
  // FluidSynth shares samples between the synthesizers that exist, so one is kept. Never destroyed:
  // freeing a large soundfont would delay the end of the program.
  static auto& used_last = *new std::atomic<std::shared_ptr<library>>;
  used_last.store(made->fluid_);
  return made;
}

void fluid_engine::apply(std::uint8_t group, std::span<const std::uint8_t> m) noexcept {
  auto synth = fluid_->synth.get();
  if (m.size() >= 2 && m[0] == 0xF0) {
    int handled = 0;
    fluid_synth_sysex(synth, reinterpret_cast<const char*>(m.data()) + 1,
                      static_cast<int>(m.size()) - 2, nullptr, nullptr, &handled, 0);
    return;
  }
  if (m.size() < 2 || m[0] >= 0xF0) return;
  auto channel = (group % groups_) * 16 + (m[0] & 0x0F);
  int first = m[1], second = m.size() > 2 ? m[2] : 0;
  // A note-off for a silent key fails, which is no error.
  switch (m[0] & 0xF0) {
    case 0x80: (void)fluid_synth_noteoff(synth, channel, first); break;
    case 0x90: (void)fluid_synth_noteon(synth, channel, first, second); break;
    case 0xA0: (void)fluid_synth_key_pressure(synth, channel, first, second); break;
    case 0xB0: (void)fluid_synth_cc(synth, channel, first, second); break;
    case 0xC0: (void)fluid_synth_program_change(synth, channel, first); break;
    case 0xD0: (void)fluid_synth_channel_pressure(synth, channel, first); break;
    case 0xE0: (void)fluid_synth_pitch_bend(synth, channel, first | second << 7); break;
    default: break;
  }
}

void fluid_engine::render(float* left, float* right, int stride, int frames) noexcept {
  fluid_synth_write_float(fluid_->synth.get(), frames, left, 0, stride, right, 0, stride);
}

int fluid_engine::voices() const noexcept {
  return fluid_synth_get_active_voice_count(fluid_->synth.get());
}

}  // namespace fermata::midi
