#pragma once

#include "core/lang/value/value.hpp"

#include <optional>
#include <span>
#include <vector>

namespace fermata {

/// A seq of music values; nothing when one of them is not music.
std::optional<value> seq_of(std::span<const value> values);

/// What the list functions work on: the items of a list, or of a seq (each a music value). Nothing
/// for anything else.
std::optional<std::vector<value>> items_of(const value& v);

}  // namespace fermata
