#pragma once

#include <string_view>

namespace fermata {

/// Whether a `;` with nothing behind it ends the input: its value is not shown then, as in Julia.
/// It is an empty comment to the language.
bool silences_output(std::string_view text);

}  // namespace fermata
