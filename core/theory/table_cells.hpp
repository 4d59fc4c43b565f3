#pragma once

#include "core/music/interval.hpp"

#include <string_view>
#include <vector>

namespace fermata::detail {

/// The entries of a table cell "a, b, c". An empty cell has none; an empty entry between two commas
/// is an empty name (the major triad is written without one).
inline std::vector<std::string_view> name_list(std::string_view cell) {
  std::vector<std::string_view> names;
  if (cell.empty()) return names;
  for (;;) {
    auto comma = cell.find(',');
    names.push_back(cell.substr(0, comma));
    if (comma == std::string_view::npos) return names;
    cell.remove_prefix(comma + 1);
    if (cell.starts_with(' ')) cell.remove_prefix(1);
  }
}

/// The intervals of a table cell "P1 M3 P5". The tables are our own; a test reads every row.
inline std::vector<interval> interval_list(std::string_view cell) {
  std::vector<interval> intervals;
  while (!cell.empty()) {
    auto end = cell.find(' ');
    intervals.push_back(parse_interval(cell.substr(0, end)).value());
    cell = end == std::string_view::npos ? std::string_view{} : cell.substr(end + 1);
  }
  return intervals;
}

}  // namespace fermata::detail
