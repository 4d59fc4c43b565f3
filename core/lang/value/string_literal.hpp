#pragma once

#include "core/error.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace fermata {

/// After this many errors the text is hardly Fermata at all.
inline constexpr std::size_t most_reading_errors = 20;

/// What stands between the quotes of a string literal, escapes resolved. Errors, up to
/// `most_reading_errors` in all, get spans relative to `offset`.
std::string unescaped(std::string_view s, std::size_t offset, error& errors);

}  // namespace fermata
