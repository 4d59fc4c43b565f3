#pragma once

#include "io/terminal/style.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace fermata::io {

/// A stretch of bytes shown in one style.
struct styled_span {
  std::size_t begin = 0, end = 0;
  style look = style::plain;
  bool operator==(const styled_span&) const = default;
};

/// A piece of a prompt.
struct styled_text {
  std::string text;
  style look = style::plain;
};
using prompt_text = std::vector<styled_text>;

/// The prompt's characters without their styles.
std::string plain_text(const prompt_text& p);

/// What the line editor shows: a prompt, the text being edited (one line or several) and the place
/// of the cursor in it.
struct edit_view {
  prompt_text prompt;
  std::string continuation;  ///< before each line of the text after the first
  std::string_view text;
  std::size_t cursor = 0;               ///< byte offset in the text
  std::vector<styled_span> spans;       ///< of the text, in order, not overlapping
  std::string hint;                     ///< shown in a line of its own below
  std::size_t columns = 80, rows = 24;  ///< of the terminal
  bool color = false;
};

/// The view broken into rows of a terminal, escape sequences included. Control characters appear as
/// ^X, bytes that are not UTF-8 as \xHH, so nothing in the text can steer the terminal. When there
/// are more rows than the terminal has, those around the cursor are taken.
struct edit_picture {
  std::vector<std::string> rows;
  std::vector<bool> full;  ///< whether the row reaches the last column
  std::size_t cursor_row = 0, cursor_column = 0;
};
edit_picture picture(const edit_view& v);

/// The bytes that turn one picture into the other, the cursor included. `shown` is what the
/// terminal shows, its cursor in place; an empty one stands for a cursor at the start of a fresh
/// line. Uses CR, LF, cursor up and forward, erase to end of line and of screen: what every
/// terminal since the VT100 understands.
std::string repaint(const edit_picture& shown, const edit_picture& wanted);

/// The bytes that take the picture off the screen, the cursor at the start of its first row.
std::string erase(const edit_picture& shown);

/// The bytes that move the cursor to the start of the line below the picture.
std::string leave(const edit_picture& shown);

}  // namespace fermata::io
