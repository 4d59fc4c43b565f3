#include "io/text/code_point.hpp"

#include <langinfo.h>

#include <cctype>
#include <clocale>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <cwchar>
#include <string>

namespace fermata::io {

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
