#pragma once

#include "midi/sound/sound_system.hpp"

namespace fermata::midi {

/// Renders to a sound file by its extension: .wav (16 bit, what every player and burner takes),
/// .flac (24 bit), .ogg (Vorbis). The same job gives the same samples.
///
/// The end is that of the music, and then until the last voice is silent, at most ten seconds.
/// Music whose peak is above 1 is made softer as a whole, so that nothing is clipped. The file
/// replaces another one of its name only when it is complete.
sound_result<render_summary> render_to_file(const render_job& job);

}  // namespace fermata::midi
