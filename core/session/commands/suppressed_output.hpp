#pragma once

#include <string_view>

namespace fermata {

/// Whether a `;` with nothing after it ends the input: its value is then not shown, as in Julia. To
/// the language it is an empty comment.
bool suppresses_output(std::string_view text);

/// A command line (with or without its colon) without its final `;`, which is not part of the last
/// argument: `export song.ly;` writes song.ly. Inside double quotes it is: `"a;"`.
std::string_view without_suppressor(std::string_view command);

/// Whether a command line ends that way, so that its output is not shown. In a command that takes
/// an expression, the `;` belongs to the expression.
bool suppresses_command_output(std::string_view command);

}  // namespace fermata
