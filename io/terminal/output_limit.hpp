#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace fermata::io {

/// Rows that a text (complete lines, colours allowed) takes on a terminal of this width.
std::size_t rows_of(std::string_view text, std::size_t columns);

/// Its first lines that take at most `most` rows; of a first line that takes more, its beginning.
std::string first_rows(std::string_view text, std::size_t most, std::size_t columns);

/// The text when it takes at most `most` rows, else its first lines that do, and a line that says
/// how many more there are and `advice`. `most` 0: no limit.
std::string limited(std::string_view text, std::size_t most, std::size_t columns,
                    std::string_view advice);

}  // namespace fermata::io
