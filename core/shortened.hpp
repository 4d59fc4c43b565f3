#pragma once

#include "core/utf8.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace fermata {

/// A message that quotes what was typed may quote two megabytes of it; the beginning tells enough.
inline std::string shortened(std::string_view text) {
  constexpr std::size_t most = 600;
  if (text.size() <= most) return std::string{text};
  auto end = most;
  while (end > 0 && is_utf8_continuation(text[end]))
    --end;
  return std::string{text.substr(0, end)} + "...";
}

}  // namespace fermata
