#include "io/text/wrap.hpp"

#include "core/utf8.hpp"
#include "io/text/code_point.hpp"

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

/// How much of a word that fits nowhere is put at once: of a list of alternatives (on|off|auto) as
/// many as there is room for here, or else in a line of their own; any other word as a whole.
std::size_t fitting_alternatives(std::string_view word, std::size_t here, std::size_t in_a_line) {
  for (auto room : {here, in_a_line})
    for (auto stroke = word.rfind('|'); stroke != word.npos && stroke > 0;
         stroke = word.rfind('|', stroke - 1))
      if (width_from(word.substr(0, stroke + 1), 0) <= room) return stroke + 1;
  return word.size();
}

/// What of a line fits into so many cells, one character at least.
std::string_view begin_of(std::string_view line, std::size_t columns) {
  std::size_t column = 0, i = 0;
  while (i < line.size()) {
    auto c = code_point_at(line, i);
    column += c.valid ? cells(c.value) : 1;
    if (column > columns && i > 0) break;
    i += c.bytes;
  }
  return line.substr(0, i);
}

/// What becomes of a word that is wider than a line.
enum class wide_words { stay, are_broken };

/// Where a word that fits nowhere is broken: behind what fits into a line.
std::size_t first_piece(std::string_view word, std::size_t here, std::size_t in_a_line,
                        wide_words wide) {
  auto fitting = fitting_alternatives(word, here, in_a_line);
  if (fitting < word.size() || wide == wide_words::stay || word.find('/') != word.npos)
    return fitting;
  return begin_of(word, std::max<std::size_t>(in_a_line, 1)).size();
}

/// Appends one line, broken where it must be.
void wrap_line(std::string& out, std::string_view line, std::size_t columns, std::size_t indent,
               std::size_t start, wide_words wide) {
  auto column = start;
  bool first = true;
  while (!line.empty()) {
    auto word = line.find_first_not_of(' ');
    if (word == line.npos) word = line.size();
    auto end = std::min(line.find(' ', word), line.size());
    auto stands = first ? column + word : indent;
    if (stands + width_from(line.substr(word, end - word), 0) > columns) {
      auto here = columns - std::min(column + word, columns);
      auto in_a_line = first ? here : columns - std::min(indent, columns);
      end = word + first_piece(line.substr(word, end - word), here, in_a_line, wide);
    }
    auto width = word + width_from(line.substr(word, end - word), column + word);
    // Also in front of the first word, where a label fills the line.
    if ((!first || start > indent) && column + width > columns) {
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

/// A line and the carets below it, broken at the same cells, so that each caret stays below what it
/// points to.
std::string broken_alike(std::string_view line, std::string_view carets, std::size_t columns) {
  std::string out;
  while (!line.empty() || carets.find('^') != carets.npos) {
    auto piece = begin_of(line, columns);
    auto below = carets.substr(0, line.size() == piece.size() ? columns : display_width(piece));
    line.remove_prefix(piece.size());
    carets.remove_prefix(below.size());
    out += (out.empty() ? "" : "\n") + std::string{piece};
    if (auto last = below.find_last_of('^'); last != below.npos)
      out += '\n' + std::string{below.substr(0, last + 1)};
  }
  return out;
}

/// Cells of the label that a line begins with: `In[3]: `, `[4] [Claude (mcp)]: `. 0: it has none.
std::size_t label_of(std::string_view line) {
  constexpr std::string_view end_of_label = "]: ";
  auto end = line.find(end_of_label);
  auto open = line.find('[');
  if (end == line.npos || open > line.find(' ') || line.find("  ") < end) return 0;
  return width_from(line.substr(0, end + end_of_label.size()), 0);
}

std::string broken(std::string_view text, std::size_t columns, std::size_t indent,
                   std::size_t start, wide_words wide) {
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
      wrap_line(out, line, columns, indent, first ? start : indent, wide);
    if (end == text.size()) return out;
    out += '\n';
    text.remove_prefix(end + 1);
  }
}

}  // namespace

std::size_t display_width(std::string_view line) { return width_from(line, 0); }

std::string wrapped(std::string_view text, std::size_t columns, std::size_t indent,
                    std::size_t start) {
  return broken(text, columns, indent, start, wide_words::stay);
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
    if (has_carets(i + 1) && display_width(line) > columns && columns > 0) {
      out += broken_alike(line, lines[i + 1], columns);
      ++i;
      continue;
    }
    if (has_carets(i) || has_carets(i + 1)) {
      out += line;
      continue;
    }
    auto own = std::min(line.find_first_not_of(' '), line.size());
    // Of a line that stands far in, what is in front of it is given up before what is in it.
    if (own * 2 > columns && columns > 0 && own < line.size()) {
      line.remove_prefix(own - columns / 2);
      own = columns / 2;
    }
    auto gap = line.find("  ", own);
    auto second = gap == line.npos ? gap : line.find_first_not_of(' ', gap);
    auto indent = second == line.npos ? own : display_width(line.substr(0, second));
    if (auto label = label_of(line); label > 0) indent = label;
    if (indent * 2 > columns) indent = own;
    out += broken(line, columns, indent, 0, wide_words::are_broken);
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
