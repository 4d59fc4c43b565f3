#pragma once

#include "core/lang/evaluation/call.hpp"

namespace fermata {

/// `(play MUSIC ...)`: asks for music to be heard when the evaluation has succeeded
/// (`evaluation::played`). Returns the music, which does not enter the score.
[[nodiscard]] result<value> play_handler(call& c);

}  // namespace fermata
