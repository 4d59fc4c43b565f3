#pragma once

#include <string>
#include <string_view>

namespace fermata {

/// Upper and lower case letters of all scripts, by Unicode's simple mappings as in the C library,
/// independent of the user's locale; a German sharp s becomes SS. Bytes that are not UTF-8 are
/// kept.
std::string in_capitals(std::string_view text);
std::string in_small_letters(std::string_view text);

}  // namespace fermata
