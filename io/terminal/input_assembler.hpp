#pragma once

#include "io/terminal/nesting.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fermata::io {

/// Whether an input needs more lines: an expression that ends inside a list, a string or a block
/// comment, also one that stands behind a command (`:time (seq`). Other commands, chat and
/// expressions with errors do not.
bool is_incomplete(std::string_view input);

/// The inputs of a text of several lines, pasted or edited. Expressions alone are one input, and so
/// is a message, however many lines they have; where commands are among them, each command, each
/// expression and each message is an input of its own, as in a script.
std::vector<std::string> inputs_in(std::string_view text);

/// The command that the last line of an unfinished expression would be, had it stood alone: `:quit`
/// behind `(seq`, where it is a keyword. Empty where there is none, as in `(note c4 :q)`.
std::string_view command_within(std::string_view unfinished);

/// Makes inputs of lines where there is no line editor: a script, a pipe, a terminal without cursor
/// movement. A line that leaves an expression open is kept until the lines that complete it came.
class input_assembler {
public:
  struct input {
    std::string text;            ///< without a newline at the end
    std::size_t first_line = 1;  ///< from 1, of where it began
  };

  /// The next line, without its newline. An answer when it completes an input; blank lines between
  /// inputs give none.
  std::optional<input> push(std::string_view line);

  bool is_open() const { return open_; }
  /// What there is of an input that is not complete; empties the assembler.
  input rest();

private:
  nesting so_far_;
  std::size_t lines_ = 0, first_line_ = 1;
  bool open_ = false;
};

}  // namespace fermata::io
