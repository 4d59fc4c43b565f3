#pragma once

#include "midi/sound/sound_system.hpp"
#include "midi/synth/audio_output.hpp"
#include "midi/synth/fluid_engine.hpp"

#include <memory>

namespace fermata::midi {

/// The synthesizer on a sound output, as a port: messages are applied in the 64 frames in which
/// they are due.
sound_result<std::shared_ptr<output_port>> open_synth_port(const synth_settings& settings);

}  // namespace fermata::midi
