#pragma once

#include <string>
#include <string_view>

namespace fermata {

/// Lines that source code broke joined again, so that whoever shows them breaks them where it must:
/// a newline stays before an empty line and before one that begins with a blank.
std::string joined_lines(std::string_view text);

/// Whether `word` occurs in `text`, whatever the case of the letters A to Z.
bool contains_word(std::string_view text, std::string_view word);

}  // namespace fermata
