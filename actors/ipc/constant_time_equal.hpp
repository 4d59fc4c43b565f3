#pragma once

#include <cstddef>
#include <string_view>

namespace fermata::actors {

/// Compares in the same time wherever the two differ, so that a secret cannot be guessed byte by
/// byte.
inline bool constant_time_equal(std::string_view a, std::string_view b) {
  unsigned differ = a.size() == b.size() ? 0 : 1;
  for (std::size_t i = 0; i < a.size() && i < b.size(); ++i)
    differ |= static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(b[i]);
  return differ == 0;
}

}  // namespace fermata::actors
