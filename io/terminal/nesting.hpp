#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fermata::io {

/// Follows brackets, strings and comments through text that comes piece by piece: enough to indent
/// a continued line and to know cheaply that an input goes on. What is complete or wrong is for the
/// reader to say; both walk the same tokens.
class nesting {
public:
  nesting() = default;
  explicit nesting(std::string_view text) { feed(text); }

  /// The next piece of the text; it ends where a word may end.
  void feed(std::string_view piece);

  const std::string& text() const { return text_; }

  /// The text surely goes on: inside a list, a string or a block comment.
  bool is_open() const { return !open_.empty() || unclosed_; }

  /// Blanks with which the next line should start: none inside a string or comment, where they
  /// would be part of it; else two more than an open parenthesis, one more than an open bracket. In
  /// bytes, which for indentation is near enough to cells.
  std::size_t indentation() const;

  /// Offset of the innermost open bracket; npos without one.
  std::size_t innermost() const;

  /// Offset of the bracket that belongs to the one at `offset`, either way; npos when there is
  /// none.
  std::size_t partner(std::size_t offset) const;

private:
  bool may_close(std::string_view piece) const;

  std::string text_;
  std::size_t at_ = 0;     ///< start of the first token that is not done with
  bool unclosed_ = false;  ///< the token there is a string or comment without its end
  std::vector<std::size_t> open_;
  std::vector<std::pair<std::size_t, std::size_t>> pairs_;
};

}  // namespace fermata::io
