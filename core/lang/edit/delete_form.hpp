#pragma once

#include "core/lang/evaluation/call.hpp"

namespace fermata {

/// `(delete WHERE)`: parts, measures or items of the score. An implied part is deleted with its
/// last measure.
[[nodiscard]] result<value> delete_handler(call& c);

}  // namespace fermata
