#pragma once

#include <string>
#include <string_view>

namespace fermata {

/// Capital and small letters of all scripts that have them, by Unicode's simple mappings as the C
/// library knows them, whatever language the user's system speaks; a German sharp s becomes SS.
/// Bytes that are no UTF-8 stay.
std::string in_capitals(std::string_view text);
std::string in_small_letters(std::string_view text);

}  // namespace fermata
