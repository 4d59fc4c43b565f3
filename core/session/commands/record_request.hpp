#pragma once

#include "core/result.hpp"
#include "core/session/commands/command.hpp"
#include "core/session/commands/recording_effect.hpp"

namespace fermata {

/// What `:record` asks for. It plays a metronome with --metronome, --count-in, --measures, --tempo
/// or
/// --meter, and the score with --overdub or --punch. Errors: options that exclude each other, parts
/// and measures that do not exist or cannot be recorded, numbers out of range.
result<recording::start> record_request(const command_call& c);

}  // namespace fermata
