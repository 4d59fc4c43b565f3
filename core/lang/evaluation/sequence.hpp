#pragma once

#include "core/lang/value/value.hpp"

#include <optional>
#include <span>
#include <vector>

namespace fermata {

/// A seq of music values; empty if one of them is not music.
std::optional<value> seq_of(std::span<const value> values);

/// The items of a list, or of a seq (each a music value), for the list functions. Empty for
/// anything else.
std::optional<std::vector<value>> items_of(const value& v);

}  // namespace fermata
