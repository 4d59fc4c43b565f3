#pragma once

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
/// As in the line editor it is the reader who says so: a line in which something is wrong ends its
/// input at once, whatever it leaves open, and the next line is a new one.
class input_assembler {
public:
  input_assembler() = default;

  struct input {
    std::string text;            ///< without a newline at the end
    std::size_t first_line = 1;  ///< from 1, of where it began
  };

  /// The next line, without its line end. An answer when it completes an input; blank lines between
  /// inputs give none.
  std::optional<input> push(std::string_view line);

  bool is_open() const { return is_open_; }
  /// How many bytes there are of an input that is not complete.
  std::size_t size() const { return text_.size(); }
  /// Where an input begins to which the next line belongs.
  std::size_t line() const { return is_open_ ? first_line_ : lines_ + 1; }
  /// What there is of an input that is not complete; empties the assembler.
  input rest();

private:
  /// In the middle of a text: the line it is at begins an input.
  explicit input_assembler(std::size_t line) : lines_(line), first_line_(line) {}
  bool goes_on_after(std::string_view line);

  std::size_t lines_ = 0, first_line_ = 1;
  std::string text_;             ///< of the input so far
  bool is_open_ = false;         ///< it goes on
  std::string openers_;          ///< that wait for their partners, outermost first
  bool is_inside_text_ = false;  ///< a string or a block comment without its end stands at `read_`
  std::size_t read_ = 0;         ///< how far the reader need not look again
};

}  // namespace fermata::io
