#pragma once

#include <string>
#include <string_view>

namespace fermata {

/// Fermata text laid out the usual way: no line longer than 100 columns where that can be avoided,
/// bodies indented by two, arguments below each other, measures on lines of their own. Comments,
/// blank lines (one at a time) and line breaks that the author made inside a form stay. The data
/// are the same before and after, and formatting twice changes nothing more. Text that does not
/// read (core/lang/syntax/reader.hpp says why) is returned as it is.
std::string format(std::string_view text);

/// One value, broken into lines of at most `columns` where possible: for showing results.
std::string format_line(std::string_view text, std::size_t columns);

}  // namespace fermata
