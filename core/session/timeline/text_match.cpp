#include "core/session/timeline/text_match.hpp"

#include <algorithm>

namespace fermata {

namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

}  // namespace

std::string joined_lines(std::string_view text) {
  std::string joined;
  for (std::size_t i = 0; i < text.size(); ++i) {
    auto next = i + 1 < text.size() ? text[i + 1] : '\n';
    bool breaks = next == '\n' || next == ' ' || (i > 0 && text[i - 1] == '\n');
    joined += text[i] == '\n' && !breaks ? ' ' : text[i];
  }
  return joined;
}

bool contains_word(std::string_view text, std::string_view word) {
  return std::search(text.begin(), text.end(), word.begin(), word.end(),
                     [](char a, char b) { return lower(a) == lower(b); }) != text.end() ||
         word.empty();
}

}  // namespace fermata
