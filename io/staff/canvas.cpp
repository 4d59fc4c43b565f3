#include "io/staff/canvas.hpp"

#include "core/utf8.hpp"
#include "io/staff/geometry.hpp"
#include "io/text/code_point.hpp"

#include <algorithm>

namespace fermata::io::staff {

canvas::canvas(int columns, std::string_view line, int room)
  : room_(static_cast<std::size_t>(std::max(columns, room))), line_(line) {
  for (int place = 0; place <= top_line; ++place) {
    auto& row = rows_[place];
    row.assign(room_, " ");
    if (place % 2 == 0) std::fill_n(row.begin(), static_cast<std::size_t>(columns), line_);
  }
}

std::vector<std::string>& canvas::open(int place) {
  auto& row = rows_[place];
  if (row.empty()) row.assign(room_, " ");
  return row;
}

void canvas::put(int place, int column, std::string_view text) {
  auto& row = open(place);
  auto fits = [&](int x) { return x >= 0 && static_cast<std::size_t>(x) < room_; };
  for (std::size_t i = 0; i < text.size();) {
    auto c = code_point_at(text, i);
    auto glyph = text.substr(i, c.bytes);
    auto width = static_cast<int>(cells(c.value));
    i += c.bytes;
    if (width == 0) {
      if (fits(column - 1)) row[static_cast<std::size_t>(column - 1)] += glyph;
      continue;
    }
    if (fits(column) && fits(column + width - 1)) {
      row[static_cast<std::size_t>(column)] = glyph;
      if (width == 2) row[static_cast<std::size_t>(column) + 1].clear();
    }
    column += width;
  }
}

void canvas::put_behind(int place, int column, std::string_view text) {
  if (is_free(place, column)) put(place, column, text);
}

bool canvas::is_free(int place, int column) const {
  auto row = rows_.find(place);
  if (row == rows_.end()) return true;
  if (column < 0 || static_cast<std::size_t>(column) >= room_) return false;
  auto& cell = row->second[static_cast<std::size_t>(column)];
  return cell == " " || cell == line_;
}

bool canvas::is_clear(int place, int from, int to) const {
  for (auto x = std::max(from, 0); x < to && static_cast<std::size_t>(x) < room_; ++x)
    if (!is_free(place, x)) return false;
  return true;
}

bool canvas::is_clear_beyond(int place, int side, int from, int to) const {
  for (; side > 0 ? place <= highest() : place >= lowest(); place += side)
    if (!is_clear(place, from, to)) return false;
  return true;
}

bool canvas::holds(int place, int column, std::string_view text) const {
  auto row = rows_.find(place);
  return row != rows_.end() && column >= 0 && static_cast<std::size_t>(column) < room_ &&
         row->second[static_cast<std::size_t>(column)] == text;
}

std::string canvas::row(int place) const {
  auto found = rows_.find(place);
  if (found == rows_.end()) return std::string(room_, ' ');
  std::string text;
  for (auto& cell : found->second)
    text += cell;
  return text;
}

}  // namespace fermata::io::staff
