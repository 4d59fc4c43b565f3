#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace fermata::io {

/// Words below each other in as many columns as there is room for, each line with `end` behind it.
/// What takes more than `rows` is counted in a last line. A word wider than the terminal stands
/// alone and is broken by the terminal.
std::string in_columns(const std::vector<std::string>& words, std::size_t columns, std::size_t rows,
                       std::string_view end);

/// What all of them begin with, never half a character.
std::string common_beginning(const std::vector<std::string>& words);

}  // namespace fermata::io
