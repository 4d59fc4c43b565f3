#include "io/staff/canvas.hpp"

#include "io/staff/geometry.hpp"
#include "io/terminal/code_point.hpp"

namespace fermata::io::staff {

canvas::canvas(int columns, std::string_view line)
  : columns_(static_cast<std::size_t>(columns)), line_(line) {
  for (int place = 0; place <= top_line; ++place)
    rows_[place].assign(columns_, place % 2 == 0 ? line_ : " ");
}

std::vector<std::string>& canvas::open(int place) {
  auto& row = rows_[place];
  if (row.empty()) row.assign(columns_, " ");
  return row;
}

void canvas::put(int place, int column, std::string_view text) {
  auto& row = open(place);
  for (std::size_t i = 0; i < text.size(); ++column) {
    auto bytes = code_point_at(text, i).bytes;
    if (column >= 0 && static_cast<std::size_t>(column) < columns_)
      row[static_cast<std::size_t>(column)] = text.substr(i, bytes);
    i += bytes;
  }
}

void canvas::put_behind(int place, int column, std::string_view text) {
  if (is_free(place, column)) put(place, column, text);
}

bool canvas::is_free(int place, int column) const {
  auto row = rows_.find(place);
  if (row == rows_.end()) return true;
  if (column < 0 || static_cast<std::size_t>(column) >= columns_) return false;
  auto& cell = row->second[static_cast<std::size_t>(column)];
  return cell == " " || cell == line_;
}

bool canvas::holds(int place, int column, std::string_view text) const {
  auto row = rows_.find(place);
  return row != rows_.end() && column >= 0 && static_cast<std::size_t>(column) < columns_ &&
         row->second[static_cast<std::size_t>(column)] == text;
}

std::string canvas::row(int place) const {
  auto found = rows_.find(place);
  if (found == rows_.end()) return std::string(columns_, ' ');
  std::string text;
  for (auto& cell : found->second)
    text += cell;
  return text;
}

}  // namespace fermata::io::staff
