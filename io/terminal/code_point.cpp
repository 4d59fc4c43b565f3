#include "io/terminal/code_point.hpp"

#include <langinfo.h>

#include <cctype>
#include <clocale>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <cwchar>
#include <string>

namespace fermata::io {

code_point code_point_at(std::string_view text, std::size_t offset) {
  auto byte = [&](std::size_t i) -> std::uint32_t {
    return offset + i < text.size() ? static_cast<unsigned char>(text[offset + i]) : 0U;
  };
  auto continues = [&](std::size_t i) { return (byte(i) & 0xC0U) == 0x80U; };
  const auto first = byte(0);
  const code_point invalid{first, 1, false};
  if (first < 0x80) return {first, 1, true};
  if (first >= 0xC2 && first <= 0xDF)
    return continues(1) ? code_point{(first & 0x1FU) << 6 | (byte(1) & 0x3FU), 2, true} : invalid;
  if (first >= 0xE0 && first <= 0xEF) {
    if (!continues(1) || !continues(2)) return invalid;
    auto c = (first & 0x0FU) << 12 | (byte(1) & 0x3FU) << 6 | (byte(2) & 0x3FU);
    return c < 0x800 || (c >= 0xD800 && c <= 0xDFFF) ? invalid : code_point{c, 3, true};
  }
  if (first >= 0xF0 && first <= 0xF4) {
    if (!continues(1) || !continues(2) || !continues(3)) return invalid;
    auto c = (first & 0x07U) << 18 | (byte(1) & 0x3FU) << 12 | (byte(2) & 0x3FU) << 6 |
             (byte(3) & 0x3FU);
    return c < 0x10000 || c > 0x10FFFF ? invalid : code_point{c, 4, true};
  }
  return invalid;
}

std::size_t cells(char32_t c) {
  if (c < 0x80) return 1;
  auto width = ::wcwidth(static_cast<wchar_t>(c));
  // Characters newer than the library: one cell is what most terminals do.
  return width < 0 ? 1 : static_cast<std::size_t>(width);
}

void use_utf8_locale() {
  std::setlocale(LC_CTYPE, "");
  if (std::strcmp(::nl_langinfo(CODESET), "UTF-8") != 0) std::setlocale(LC_CTYPE, "C.UTF-8");
}

bool environment_takes_utf8() {
  for (auto name : {"LC_ALL", "LC_CTYPE", "LANG"})
    if (auto value = std::getenv(name); value && *value) {
      std::string letters;
      for (std::string_view text{value}; char c : text)
        if (c != '-') letters += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
      return letters.find("utf8") != std::string::npos;
    }
  return true;
}

}  // namespace fermata::io
