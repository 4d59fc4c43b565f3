#pragma once

#include <cstddef>
#include <string_view>

namespace fermata::io {

/// Cells that a code point takes in a terminal: 0 for combining marks, 2 for wide characters, else
/// 1. As the C library knows it, in any locale.
std::size_t cells(char32_t c);

/// Makes the C library treat text as UTF-8 whatever the environment says, for `cells` and for the
/// line editor. Programs without LANG (containers, services) would see single bytes otherwise. Call
/// once, before threads start.
void use_utf8_locale();

/// Whether the environment (LC_ALL, LC_CTYPE, LANG, the first that is set) asks for UTF-8. Where
/// none is set the terminal is taken for one that shows it.
bool environment_takes_utf8();

}  // namespace fermata::io
