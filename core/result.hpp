#pragma once

#include "core/error.hpp"

#include <tl/expected.hpp>

#include <string>
#include <vector>

namespace fermata {

/// What a fallible function of `core` and `io` returns: the value, or the diagnostics that say why
/// there is none. From `messages/` upward the same thing is a `caf::result`.
template <class T>
using result = tl::expected<T, error>;

/// Shorthand for the failing side of a `result`.
inline tl::unexpected<error> fail(error e) { return tl::unexpected<error>(std::move(e)); }

}  // namespace fermata
