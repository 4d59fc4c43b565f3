#pragma once

#include "core/lang/evaluation/call.hpp"

namespace fermata {

/// `(delete WHERE)`: parts, measures or items of the score. A part that nobody asked for goes with
/// its last measure.
[[nodiscard]] result<value> delete_handler(call& c);

}  // namespace fermata
