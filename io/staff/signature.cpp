#include "io/staff/signature.hpp"

#include "io/staff/geometry.hpp"

#include <algorithm>

namespace fermata::io::staff {

std::vector<sign_column> clef_columns(const clef& c, const glyphs& g) {
  sign_column column;
  if (c.sign == "TAB") {
    column.cells = {{6, "T"}, {4, "A"}, {2, "B"}};
  } else if (c.sign == "G" || c.sign == "F" || c.sign == "C") {
    auto line = c.line > 0 ? c.line : c.sign == "G" ? 2 : c.sign == "F" ? 4 : 3;
    auto text = c.sign == "G" ? g.g_clef : c.sign == "F" ? g.f_clef : g.c_clef;
    column.cells.emplace_back(2 * (line - 1), std::string{text});
  } else {
    for (int place : {3, 4, 5})
      column.cells.emplace_back(place, std::string{g.percussion_clef});
  }
  if (c.octave_change != 0)
    column.cells.emplace_back(c.octave_change > 0 ? top_line + 1 : -1, std::string{g.octave});
  return {column};
}

std::vector<sign_column> key_columns(const key_signature& k, const key_signature* before,
                                     const clef& c, const glyphs& g) {
  std::vector<sign_column> columns;
  auto add = [&](const key_sign& sign, std::string_view accidental) {
    auto text = accidental_sign(accidental, g);
    auto cells = g.unicode ? 1 : static_cast<int>(text.size());
    columns.push_back({{{sign.place, std::string{text}}}, cells});
  };
  auto signs = key_signs(k, c);
  // Naturals only where nothing else would show that the old signs are gone.
  if (signs.empty() && before)
    for (auto& sign : key_signs(*before, c))
      add(sign, "natural");
  for (auto& sign : signs)
    add(sign, sign.accidental);
  return columns;
}

std::vector<sign_column> time_columns(const time_signature& t, const glyphs& g) {
  if (t.symbol == "common" || t.symbol == "cut") {
    auto text = t.symbol == "common" ? g.common_time : g.cut_time;
    auto width = g.unicode ? 1 : static_cast<int>(text.size());
    return {{{{middle_line, std::string{text}}}, width}};
  }
  std::vector<sign_column> columns;
  for (auto& f : t.fractions) {
    if (!columns.empty()) columns.push_back({{{middle_line, "+"}}, 1});
    std::string beats;
    for (auto b : f.beats)
      beats += (beats.empty() ? "" : "+") + std::to_string(b);
    auto type = std::to_string(f.beat_type);
    auto width = std::max(beats.size(), type.size());
    beats.insert(0, (width - beats.size()) / 2, ' ');
    type.insert(0, (width - type.size()) / 2, ' ');
    columns.push_back({{{6, beats}, {2, type}}, static_cast<int>(width)});
  }
  return columns;
}

int width_of(const std::vector<sign_column>& columns) {
  int width = 0;
  for (auto& c : columns)
    width += c.width;
  return width;
}

}  // namespace fermata::io::staff
