#pragma once

#include "core/error.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace fermata {

/// Kind of a line at the prompt.
enum class input_kind : std::uint8_t {
  empty,       ///< blank: only shows pending messages
  expression,  ///< Fermata code: anything that is none of the others
  command,     ///< `:word ...`
  chat,        ///< `// text`: a message to clients
};

struct classified_input {
  input_kind kind = input_kind::empty;
  /// Without surrounding blanks; a message without `//`; a command without the colon.
  std::string text;
};

/// Decides by the first characters only, after the blanks that the reader skips before an
/// expression. A colon makes a command, unless the first word is a keyword that no command name can
/// look like: `:8`, `:q.`. (`:q` on its own is the command; the duration is written inside a form.)
classified_input classify(std::string_view line);

/// The lines of a program that the prompt would treat as a command or a message: `:undo`, `// hi`.
/// A program has neither. As values they would have no effect, and the music would differ from what
/// the same lines give at the prompt; so each is an error with its position. Inside an expression a
/// keyword is a value. Empty diagnostics: there are no such lines.
error prompt_lines_in(std::string_view program);

/// A line that is not UTF-8. Nothing in it is executed, whatever its kind: what is shown, stored
/// and sent is UTF-8, and the intended character is unknown.
struct undecodable_line {
  std::string text;  ///< with U+FFFD in place of each bad byte
  error why;         ///< `invalid-utf8`, with the position of the first one in `text`
};

/// Empty if the line is UTF-8.
std::optional<undecodable_line> find_undecodable(std::string_view line);

}  // namespace fermata
