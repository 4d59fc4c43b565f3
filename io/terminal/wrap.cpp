#include "io/terminal/wrap.hpp"

#include "io/terminal/code_point.hpp"

#include <algorithm>
#include <vector>

namespace fermata::io {

namespace {

std::size_t width_from(std::string_view text, std::size_t column) {
  auto begin = column;
  for (std::size_t i = 0; i < text.size();) {
    auto c = code_point_at(text, i);
    column += c.value == '\t' ? 8 - column % 8 : c.valid ? cells(c.value) : 1;
    i += c.bytes;
  }
  return column - begin;
}

/// Appends one line, broken where it must be.
void wrap_line(std::string& out, std::string_view line, std::size_t columns, std::size_t indent,
               std::size_t start) {
  auto column = start;
  bool first = true;
  while (!line.empty()) {
    auto word = line.find_first_not_of(' ');
    if (word == line.npos) word = line.size();
    auto end = std::min(line.find(' ', word), line.size());
    // One that is a list of alternatives (on|off|auto) and fits nowhere is broken behind a stroke.
    if (indent + width_from(line.substr(word, end - word), 0) > columns)
      if (auto stroke = line.find('|', word); stroke < end) end = stroke + 1;
    auto width = word + width_from(line.substr(word, end - word), column + word);
    if (!first && column + width > columns) {
      out += '\n';
      out.append(indent, ' ');
      column = indent;
      line.remove_prefix(word);
      end -= word;
      width = width_from(line.substr(0, end), column);
    }
    out += line.substr(0, end);
    column += width;
    line.remove_prefix(end);
    first = false;
  }
}

}  // namespace

std::size_t display_width(std::string_view line) { return width_from(line, 0); }

std::string wrapped(std::string_view text, std::size_t columns, std::size_t indent,
                    std::size_t start) {
  // Where nothing sensible fits beside the indentation, it is given up.
  if (columns != 0 && indent * 2 > columns) indent = 0;
  std::string out;
  for (bool first = true;; first = false) {
    auto end = std::min(text.find('\n'), text.size());
    auto line = text.substr(0, end);
    if (!first && !line.empty()) out.append(indent, ' ');
    if (columns == 0)
      out += line;
    else
      wrap_line(out, line, columns, indent, first ? start : indent);
    if (end == text.size()) return out;
    out += '\n';
    text.remove_prefix(end + 1);
  }
}

std::string wrapped_lists(std::string_view text, std::size_t columns) {
  std::vector<std::string_view> lines;
  for (std::size_t begin = 0; begin <= text.size();) {
    auto end = std::min(text.find('\n', begin), text.size());
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  auto has_carets = [&](std::size_t i) {
    return i < lines.size() && lines[i].find('^') != std::string_view::npos &&
           lines[i].find_first_not_of(" ^") == std::string_view::npos;
  };
  std::string out;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (i > 0) out += '\n';
    auto line = lines[i];
    if (has_carets(i) || has_carets(i + 1)) {
      out += line;
      continue;
    }
    auto own = std::min(line.find_first_not_of(' '), line.size());
    auto gap = line.find("  ", own);
    auto second = gap == line.npos ? gap : line.find_first_not_of(' ', gap);
    auto indent = second == line.npos ? own : display_width(line.substr(0, second));
    if (indent * 2 > columns) indent = own;
    out += wrapped(line, columns, indent);
  }
  return out;
}

std::string clipped(std::string_view text, std::size_t most) {
  std::string out;
  std::size_t column = 0;
  for (std::size_t i = 0; i < text.size();) {
    auto c = code_point_at(text, i);
    auto glyph = text.substr(i, c.bytes);
    i += c.bytes;
    if (c.value == '\n') {
      column = 0;
    } else {
      column += c.value == '\t' ? 8 - column % 8 : c.valid ? cells(c.value) : 1;
      if (column > most) {
        out += "\u2026";
        i = std::min(text.find('\n', i), text.size());
        continue;
      }
    }
    out += glyph;
  }
  return out;
}

}  // namespace fermata::io
