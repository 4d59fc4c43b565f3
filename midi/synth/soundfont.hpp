#pragma once

#include "midi/sound/sound_system.hpp"

#include <string>

namespace fermata::midi {

/// The soundfont to use: `wanted` if it is not empty, else the file that FERMATA_SOUNDFONT names,
/// else the first of those that Debian's packages install. Failure `no_soundfont`: there is none,
/// or the wanted file is not one.
sound_result<std::string> soundfont_in_use(const std::string& wanted);

}  // namespace fermata::midi
