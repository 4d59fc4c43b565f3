#pragma once

#include <string>
#include <string_view>

namespace fermata {

/// Fermata text in the usual layout: no line longer than 100 columns where that can be avoided,
/// bodies indented by two, arguments below each other, measures on their own lines. Comments, blank
/// lines (one at a time) and line breaks inside a form are kept. The data do not change, and
/// formatting twice gives the same text as once. Text that cannot be read (see
/// core/lang/syntax/reader.hpp) is returned unchanged.
std::string format(std::string_view text);

/// One value, broken into lines of at most `columns` where possible: for results.
std::string format_line(std::string_view text, std::size_t columns);

}  // namespace fermata
