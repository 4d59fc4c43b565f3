#pragma once

#include <string>
#include <string_view>

namespace fermata::io {

/// Text from elsewhere (messages, names, results that quote them), made safe for a terminal. What a
/// terminal would obey goes: escape sequences as a whole (ECMA-48: CSI, OSC, DCS, SOS, PM, APC,
/// two-byte escapes, in their seven-bit and their eight-bit spelling, the latter as UTF-8), all
/// other control characters but newline and tab, and the marks that turn the reading direction,
/// with which one text can be made to look like another (U+202A-202E, U+2066-2069). Other
/// characters that cannot be seen are shown as their code point, `<U+200B>`; those that shape the
/// letters of a script or an emoji stay (core/invisible_characters.hpp). What is
/// not UTF-8 becomes U+FFFD. A control string without an end loses its opener only, so that it
/// cannot hide what follows.
std::string safe_text(std::string_view text);

/// Whether nothing can be seen of the text on a terminal: it holds nothing but blanks of any kind
/// (Unicode's White_Space), what takes no cell, and what `safe_text` removes.
bool shows_nothing(std::string_view text);

}  // namespace fermata::io
