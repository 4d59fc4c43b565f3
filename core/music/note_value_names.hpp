#pragma once

#include <string_view>
#include <vector>

namespace fermata {

/// The names of two letters and more that `parse_note_value` reads, without dots: what a misspelt
/// one may have meant.
std::vector<std::string_view> note_value_names();

}  // namespace fermata
