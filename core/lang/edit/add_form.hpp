#pragma once

#include "core/lang/evaluation/call.hpp"

namespace fermata {

/// `(add MUSIC ...)`: adds music to the score, each piece as if it had been typed as notation.
/// Returns the music, which is not added again as the value of the expression.
[[nodiscard]] result<value> add_handler(call& c);

}  // namespace fermata
