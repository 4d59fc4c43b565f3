#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace fermata {

/// What ends a line of source text: LF, CR LF and a lone CR, as in XML 1.0 (section 2.11). Texts
/// come from every system; where they are read, each of the three is one line end and means the
/// same, in a string too. Offsets are those of the text as it was given.

/// How many bytes the line end at `at` has; 0: there is none.
inline std::size_t line_end_length(std::string_view text, std::size_t at) {
  if (at >= text.size()) return 0;
  if (text[at] == '\n') return 1;
  if (text[at] != '\r') return 0;
  return at + 1 < text.size() && text[at + 1] == '\n' ? 2 : 1;
}

/// A line of a text.
struct text_line {
  std::size_t begin = 0;
  std::size_t end = 0;   ///< of the line without what ends it
  std::size_t next = 0;  ///< where the next one begins; beyond the text: this is the last one
};

/// The line that begins at `begin`, which is at most `text.size()`. A text that ends with a line
/// end has an empty line behind it.
inline text_line line_at(std::string_view text, std::size_t begin) {
  auto end = begin;
  while (end < text.size() && text[end] != '\n' && text[end] != '\r')
    ++end;
  auto length = line_end_length(text, end);
  return {begin, end, length == 0 ? text.size() + 1 : end + length};
}

/// The text with LF for each line end.
inline std::string with_line_feeds(std::string_view text) {
  std::string plain;
  plain.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    auto n = line_end_length(text, at);
    plain += n > 0 ? '\n' : text[at];
    at += n > 0 ? n : 1;
  }
  return plain;
}

}  // namespace fermata
