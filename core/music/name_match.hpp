#pragma once

#include <cstddef>
#include <string_view>

namespace fermata {

/// Whether two names of a table entry are the same to a musician: ASCII case, and the choice
/// between hyphen, underscore and space, do not matter ("Major pentatonic", "major-pentatonic"). A
/// name that is printed on two lines ("Chant\nVoice") is called by it on one.
constexpr bool same_name(std::string_view a, std::string_view b) {
  constexpr auto plain = [](char c) {
    if (c >= 'A' && c <= 'Z') return static_cast<char>(c - 'A' + 'a');
    return c == '_' || c == ' ' || c == '\n' ? '-' : c;
  };
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (plain(a[i]) != plain(b[i])) return false;
  return true;
}

}  // namespace fermata
