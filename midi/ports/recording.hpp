#pragma once

#include "midi/sound/sound_system.hpp"

#include <memory>
#include <optional>

namespace fermata::midi {

/// The device "memory", which there is only if the environment variable FERMATA_MIDI_RECORD names a
/// file. It plays nothing and writes the messages into the file when the port is closed, one line
/// each: `nanoseconds group bytes`, counted from the first message, bytes in hexadecimal. So what
/// is played can be examined where there is no MIDI system, and to the nanosecond.
inline constexpr const char* memory_id = "memory";

std::optional<device> recording_device();

/// Failures: `no_device` without the variable; `file`: it cannot be written.
sound_result<std::shared_ptr<output_port>> open_recording();

}  // namespace fermata::midi
