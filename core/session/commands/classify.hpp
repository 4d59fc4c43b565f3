#pragma once

#include "core/error.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace fermata {

/// What a line at the prompt is.
enum class input_kind : std::uint8_t {
  empty,       ///< nothing but blanks: only shows what waits
  expression,  ///< Fermata code, the rule when it is nothing else
  command,     ///< `:word ...`
  chat,        ///< `// words` for the other side
};

struct classified_input {
  input_kind kind = input_kind::empty;
  /// Without surrounding blanks; of chat without the sigil; of a command without the colon.
  std::string text;
};

/// Decides by the first characters alone, behind the blanks that the reader skips before an
/// expression. A colon makes a command, unless the first word is a
/// keyword that no command name can look like: `:8`, `:q.`. (A lone `:q` is the command; the
/// duration is written inside a form.)
classified_input classify(std::string_view line);

/// The lines of a program that the prompt would take for a command or a message: `:undo`, `// hi`.
/// A program has neither. As values they would mean nothing, and the music would not be what the
/// same lines give at the prompt; so each is a fault, with its place. Inside an expression a
/// keyword is one. No diagnostics: there are no such lines.
error prompt_lines_in(std::string_view program);

/// A line that is not UTF-8. Whatever it would have been, nothing of it happens: what is shown,
/// kept and sent is UTF-8, and nobody knows which character was meant.
struct undecodable_line {
  std::string text;  ///< with U+FFFD in place of each bad byte
  error why;         ///< `invalid-utf8`, with the place of the first one in `text`
};

/// Nothing: the line is UTF-8.
std::optional<undecodable_line> find_undecodable(std::string_view line);

}  // namespace fermata
