#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace fermata::io {

/// Fermata text with its lines broken between tokens, never inside one: a string, a comment or a
/// long name stays in one piece, which the terminal breaks where it must. So what is shown can be
/// copied and reads as the same program. What goes on below stands two columns behind the beginning
/// of its line. `indent` columns are taken by a label before the first line; further lines start
/// below its end. `columns` 0 breaks nothing.
std::string wrapped_code(std::string_view text, std::size_t columns, std::size_t indent = 0);

}  // namespace fermata::io
