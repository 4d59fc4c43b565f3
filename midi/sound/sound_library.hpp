#pragma once

#include "midi/sound/sound_system.hpp"

namespace fermata::midi {

/// Loads the library `fermata_sound.so`, which is in `../lib/fermata` from the program, or the
/// file that FERMATA_SOUND_LIBRARY names. It is loaded once and stays loaded. Failure: it is not
/// there or does not fit; the program works without it, silently.
sound_result<std::shared_ptr<sound_system>> load_sound_system();

}  // namespace fermata::midi
