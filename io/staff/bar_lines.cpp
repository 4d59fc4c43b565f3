#include "io/staff/bar_lines.hpp"

#include "io/staff/geometry.hpp"

namespace fermata::io::staff {

bar_kind kind_of_bar(std::string_view right_bar) {
  return right_bar == "backward"           ? bar_kind::repeat_end
         : right_bar == "light-heavy"      ? bar_kind::final_bar
         : right_bar == "light-light"      ? bar_kind::double_bar
         : right_bar.starts_with("light-") ? bar_kind::double_bar
         : right_bar == "none"             ? bar_kind::none
                                           : bar_kind::single;
}

/// One cell of a barline: which of its three forms, by where on the staff it is.
void bar_lines::cell(canvas& c, const stave& s, int column, std::string_view top,
                     std::string_view on_line, std::string_view bottom, std::string_view between) {
  for (int place = 0; place <= top_line; ++place)
    c.put(place, column,
          place % 2 != 0                 ? between
          : place == top_line && s.first ? top
          : place == 0 && s.last         ? bottom
                                         : on_line);
}

void bar_lines::draw(canvas& c, const stave& s, int width) const {
  auto thin = [&](int x) {
    if (x == width - 1)
      cell(c, s, x, g_.right_top, g_.right_on_line, g_.right_bottom, g_.bar);
    else
      cell(c, s, x, g_.bar_top, g_.bar_on_line, g_.bar_bottom, g_.bar);
  };
  auto heavy = [&](int x) {
    cell(c, s, x, g_.heavy_bar, g_.heavy_bar, g_.heavy_bar, g_.heavy_bar);
  };
  auto dots = [&](int x) {
    c.put(3, x, g_.repeat_dot);
    c.put(5, x, g_.repeat_dot);
  };
  for (auto& b : bars_)
    switch (b.kind) {
      case bar_kind::none: break;
      case bar_kind::left:
        cell(c, s, b.column, g_.left_top, g_.left_on_line, g_.left_bottom, g_.bar);
        break;
      case bar_kind::single:
      case bar_kind::right: thin(b.column); break;
      case bar_kind::double_bar:
        thin(b.column);
        thin(b.column + 1);
        break;
      case bar_kind::final_bar:
        thin(b.column);
        heavy(b.column + 1);
        break;
      case bar_kind::repeat_begin:
        heavy(b.column);
        dots(b.column + 1);
        break;
      case bar_kind::repeat_end:
        dots(b.column);
        thin(b.column + 1);
        heavy(b.column + 2);
        break;
    }
}

std::vector<std::pair<int, std::string_view>> bar_lines::between_staves() const {
  std::vector<std::pair<int, std::string_view>> cells;
  for (auto& b : bars_)
    switch (b.kind) {
      case bar_kind::none: break;
      case bar_kind::left:
      case bar_kind::single:
      case bar_kind::right: cells.emplace_back(b.column, g_.bar); break;
      case bar_kind::double_bar:
        cells.emplace_back(b.column, g_.bar);
        cells.emplace_back(b.column + 1, g_.bar);
        break;
      case bar_kind::final_bar:
        cells.emplace_back(b.column, g_.bar);
        cells.emplace_back(b.column + 1, g_.heavy_bar);
        break;
      case bar_kind::repeat_begin: cells.emplace_back(b.column, g_.heavy_bar); break;
      case bar_kind::repeat_end:
        cells.emplace_back(b.column + 1, g_.bar);
        cells.emplace_back(b.column + 2, g_.heavy_bar);
        break;
    }
  return cells;
}

}  // namespace fermata::io::staff
