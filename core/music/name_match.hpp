#pragma once

#include <cstddef>
#include <string_view>

namespace fermata {

/// Whether two names of a table entry are the same to a musician: ASCII case, and the choice
/// between hyphen, underscore and space, do not matter ("Major pentatonic", "major-pentatonic").
constexpr bool same_name(std::string_view a, std::string_view b) {
  constexpr auto plain = [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c == '_' || c == ' ' ? '-' : c;
  };
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (plain(a[i]) != plain(b[i])) return false;
  return true;
}

}  // namespace fermata
