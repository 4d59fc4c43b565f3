#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace fermata::io {

/// Cells that a line of text takes (a tab counts to the next multiple of eight).
std::size_t display_width(std::string_view line);

/// The text with its lines broken at blanks so that none is wider than `columns`. Lines that come
/// of breaking, and lines after the first, start with `indent` blanks. The first line starts in
/// column `start`. A word wider than a line is left to the terminal, so that it can be copied in
/// one piece, but for a list of alternatives (`on|off|auto`), which is broken behind a stroke.
/// Blanks at the start of a line are kept: code stays in shape. `columns` 0 breaks nothing.
std::string wrapped(std::string_view text, std::size_t columns, std::size_t indent = 0,
                    std::size_t start = 0);

/// Prose and lists made to fit: what a line that is too long has beyond the edge goes on below what
/// a label (`In[3]: `, `[4] [you]: `) stands before, else below its second column, where two blanks
/// or more begin one, else below its own beginning. A word wider than a line is broken at cells,
/// but for paths and addresses, which are left to the terminal. Where a line with carets (`^^^`)
/// follows, both are broken at the same cells.
std::string wrapped_lists(std::string_view text, std::size_t columns);

/// The text with what is beyond `most` cells of a line replaced by an ellipsis: an error that
/// quotes a pasted book shall not print it.
std::string clipped(std::string_view text, std::size_t most);

}  // namespace fermata::io
