#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace fermata {

/// UTF-8 as RFC 3629 defines it: no overlong forms, no surrogates, nothing above U+10FFFF. Decoder,
/// validator and encoder for text of any origin.

/// Whether the byte is one inside a code point, 0x80 to 0xBF.
constexpr bool is_utf8_continuation(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U;
}

/// One step through text of any origin.
struct code_point {
  char32_t value = 0;     ///< the byte itself when it is not valid
  std::size_t bytes = 1;  ///< how far it reaches
  bool valid = true;
};

/// The code point at `offset`. Precondition: `offset < text.size()`.
code_point code_point_at(std::string_view text, std::size_t offset);

/// Offset of the first byte that is not part of valid UTF-8, or npos.
std::size_t find_invalid_utf8(std::string_view text);

/// The text with U+FFFD in place of each byte that is not part of valid UTF-8.
std::string as_valid_utf8(std::string_view text);

/// Appends the encoding of a code point up to U+10FFFF.
void append_utf8(std::string& out, char32_t c);

}  // namespace fermata
