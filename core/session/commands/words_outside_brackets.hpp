#pragma once

#include <string_view>
#include <vector>

namespace fermata {

/// The words of a command line as typed; blanks in brackets and strings divide none: "(seq a b)",
/// "2-3", "--loop". A comment ends the line.
std::vector<std::string_view> words_outside_brackets(std::string_view text);

}  // namespace fermata
