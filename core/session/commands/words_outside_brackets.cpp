#include "core/session/commands/words_outside_brackets.hpp"

#include "core/lang/syntax/token.hpp"

#include <algorithm>

namespace fermata {

namespace {

/// Past the string that begins at `at`.
std::size_t end_of_string(std::string_view text, std::size_t at) {
  for (++at; at < text.size() && text[at] != '"'; ++at)
    if (text[at] == '\\') ++at;
  return std::min(at + 1, text.size());
}

}  // namespace

std::vector<std::string_view> words_outside_brackets(std::string_view text) {
  std::vector<std::string_view> words;
  for (std::size_t i = 0; i < text.size();) {
    if (auto blank = blank_length(text, i); blank > 0) {
      i += blank;
      continue;
    }
    if (text[i] == ';') break;
    auto begin = i;
    int depth = 0;
    while (i < text.size() && (depth > 0 || blank_length(text, i) == 0)) {
      auto c = text[i];
      if (c == '"') {
        i = end_of_string(text, i);
        continue;
      }
      if (c == ';' && depth > 0) {
        i = std::min(text.find('\n', i), text.size());
        continue;
      }
      depth += c == '(' || c == '[' || c == '{' ? 1 : c == ')' || c == ']' || c == '}' ? -1 : 0;
      ++i;
    }
    words.push_back(text.substr(begin, i - begin));
  }
  return words;
}

}  // namespace fermata
