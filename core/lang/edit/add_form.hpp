#pragma once

#include "core/lang/evaluation/call.hpp"

namespace fermata {

/// `(add MUSIC ...)`: enters music into the score, each piece as if it had been typed as notation.
/// Answers the music, which does not enter a second time as the value of the expression.
[[nodiscard]] result<value> add_handler(call& c);

}  // namespace fermata
