#pragma once

#include "core/error.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace fermata {

/// Maximum number of errors: a text with more is probably not Fermata.
inline constexpr std::size_t most_reading_errors = 20;

/// The contents of a string literal, escapes resolved. Errors, up to `most_reading_errors` in
/// total, get spans relative to `offset`.
std::string unescaped(std::string_view s, std::size_t offset, error& errors);

}  // namespace fermata
