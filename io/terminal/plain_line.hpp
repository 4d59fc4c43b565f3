#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace fermata::io {

/// The line being edited on a terminal that can only go forward and, within a row, back: for screen
/// readers and for terminals without cursor movement. What is typed is written once, and a line
/// that is longer than a row goes on in the next one. Where what has to change is in a row above,
/// the line is written anew below, up to the cursor.
class plain_line {
public:
  /// A fresh line: nothing is on it yet.
  void begin() { *this = {}; }
  /// The bytes that turn what is shown into this prompt and text with the cursor at a byte offset.
  std::string show(std::string_view prompt, std::string_view text, std::size_t cursor,
                   std::size_t columns);

private:
  std::string anew(std::string_view prompt, std::string_view text, std::size_t cursor);
  std::string over(std::string_view prompt, std::string_view text, std::size_t cursor);
  std::size_t row_of(std::size_t offset, std::string_view text) const;
  std::size_t column_after(std::string_view text) const;

  bool begun_ = false;
  std::string prompt_, text_;  ///< as written; the text perhaps only up to the cursor
  std::size_t cursor_ = 0;
  std::size_t columns_ = 80;
};

}  // namespace fermata::io
