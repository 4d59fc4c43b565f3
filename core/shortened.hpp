#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace fermata {

/// A message that quotes what was typed may quote two megabytes of it; the beginning tells enough.
inline std::string shortened(std::string_view text) {
  constexpr std::size_t most = 600;
  if (text.size() <= most) return std::string{text};
  auto end = most;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80)
    --end;
  return std::string{text.substr(0, end)} + "...";
}

}  // namespace fermata
