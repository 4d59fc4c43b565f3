#pragma once

#include <string_view>

namespace fermata {

/// Whether a `;` with nothing behind it ends the input: its value is not shown then, as in Julia.
/// It is an empty comment to the language.
bool silences_output(std::string_view text);

/// A command line (with or without its colon) without the `;` at its end, which is no part of the
/// last argument: `export song.ly;` writes song.ly. Inside double quotes it is: `"a;"`.
std::string_view without_silencer(std::string_view command);

/// Whether a command line ends that way, and what it prints is therefore not shown. Of a command
/// that takes an expression, the `;` belongs to that.
bool silences_command(std::string_view command);

}  // namespace fermata
