#pragma once

#include <cstddef>
#include <string_view>

namespace fermata::io {

/// One step through UTF-8 text of any origin.
struct code_point {
  char32_t value = 0;     ///< the byte itself when it is not valid
  std::size_t bytes = 1;  ///< how far it reaches
  bool valid = true;      ///< RFC 3629: no overlong forms, surrogates or values above U+10FFFF
};

/// The code point at `offset`. Precondition: `offset < text.size()`.
code_point code_point_at(std::string_view text, std::size_t offset);

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
