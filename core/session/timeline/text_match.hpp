#pragma once

#include <string>
#include <string_view>

namespace fermata {

/// Joins lines that were broken for the source code, so that they can be wrapped for output: a
/// newline is kept before an empty line and before one that begins with a blank.
std::string joined_lines(std::string_view text);

/// Whether `word` occurs in `text`, ignoring the case of the letters A to Z.
bool contains_word(std::string_view text, std::string_view word);

}  // namespace fermata
