#pragma once

#include <string_view>

namespace fermata::io::musicxml::detail {

/// Whether `text` is what the schema takes as number of an ending: blanks only, or numbers from 1
/// separated by a comma and at most one blank.
inline bool is_ending_number(std::string_view text) {
  if (text.find_first_not_of(' ') == std::string_view::npos) return true;
  for (;;) {
    if (text.empty() || text.front() < '1' || text.front() > '9') return false;
    auto end = text.find_first_not_of("0123456789");
    if (end == std::string_view::npos) return true;
    if (text[end] != ',') return false;
    text.remove_prefix(end + 1);
    if (text.starts_with(' ')) text.remove_prefix(1);
  }
}

}  // namespace fermata::io::musicxml::detail
