#pragma once

#include <string_view>
#include <vector>

namespace fermata {

/// A short example piece, listed by `:examples`.
struct example_piece {
  std::string_view name;
  std::string_view title;  ///< one line
  std::string_view text;   ///< one expression, possibly of several lines
};

const std::vector<example_piece>& example_pieces();
const example_piece* find_example_piece(std::string_view name);

}  // namespace fermata
