#include "io/terminal/output_limit.hpp"

#include "io/text/safe_text.hpp"
#include "io/text/wrap.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace fermata::io {

namespace {

std::size_t rows_of_line(std::string_view line, std::size_t columns) {
  auto width = display_width(safe_text(line));
  return std::max<std::size_t>((width + columns - 1) / columns, 1);
}

/// Calls `see(begin, end)` for each line, without its newline, until that says false.
template <class F>
void for_each_line(std::string_view text, F see) {
  for (std::size_t begin = 0; begin < text.size();) {
    auto end = std::min(text.find('\n', begin), text.size());
    if (!see(begin, end)) return;
    begin = end + 1;
  }
}

}  // namespace

std::size_t rows_of(std::string_view text, std::size_t columns) {
  columns = std::max<std::size_t>(columns, 1);
  std::size_t rows = 0;
  for_each_line(text, [&](auto begin, auto end) {
    rows += rows_of_line(text.substr(begin, end - begin), columns);
    return true;
  });
  return rows;
}

namespace {

/// The first lines that take at most so many rows, and how many lines are not among them.
std::pair<std::string, std::size_t> cut_after(std::string_view text, std::size_t most,
                                              std::size_t columns) {
  std::string kept;
  std::size_t rows = 0, left = 0;
  for_each_line(text, [&](auto begin, auto end) {
    auto line = text.substr(begin, end - begin);
    rows += rows_of_line(line, columns);
    if (left == 0 && rows <= most)
      kept += std::string{line} + '\n';
    else if (left++ == 0 && kept.empty())
      kept = clipped(safe_text(line), most * columns - 1) + '\n';  // one line that is too long
    return true;
  });
  return {std::move(kept), left};
}

}  // namespace

std::string first_rows(std::string_view text, std::size_t most, std::size_t columns) {
  return cut_after(text, most, std::max<std::size_t>(columns, 1)).first;
}

std::string limited(std::string_view text, std::size_t most, std::size_t columns,
                    std::string_view advice) {
  columns = std::max<std::size_t>(columns, 1);
  if (most == 0 || rows_of(text, columns) <= most) return std::string{text};
  auto [kept, left] = cut_after(text, most, columns);
  auto remark = fmt::format("... {} more {}; {}", left, left == 1 ? "line" : "lines", advice);
  return kept + wrapped(remark, columns) + '\n';
}

}  // namespace fermata::io
