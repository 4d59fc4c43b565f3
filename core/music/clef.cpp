#include "core/music/clef.hpp"

#include "core/music/name_match.hpp"

namespace fermata {

namespace {

/// The line a sign stands on when none is said; MusicXML gives 2 for G, 4 for F, 3 for C.
int usual_line(std::string_view sign) {
  return sign == "G" ? 2 : sign == "F" ? 4 : sign == "C" ? 3 : 0;
}

/// Only these three signs fix a pitch on a line; the line of the others is a matter of drawing.
bool has_line(std::string_view sign) { return usual_line(sign) != 0; }

}  // namespace

const std::vector<clef_name>& clef_table() {
  static const std::vector<clef_name> table{
      {"treble", {"g", "violin"}, {"G", 2, 0}},
      {"bass", {"f"}, {"F", 4, 0}},
      {"alto", {"c", "viola"}, {"C", 3, 0}},
      {"tenor", {}, {"C", 4, 0}},
      {"soprano", {}, {"C", 1, 0}},
      {"mezzo-soprano", {"mezzosoprano", "mezzo"}, {"C", 2, 0}},
      {"baritone", {"baritone-f", "varbaritone"}, {"F", 3, 0}},
      {"baritone-c", {}, {"C", 5, 0}},
      {"subbass", {"sub-bass"}, {"F", 5, 0}},
      {"french", {"french-violin"}, {"G", 1, 0}},
      {"treble-8vb", {"treble8vb", "g-8vb", "g8vb", "vocal-tenor"}, {"G", 2, -1}},
      {"treble-8va", {"treble8va", "g-8va", "g8va"}, {"G", 2, 1}},
      {"treble-15mb", {"treble15mb", "g-15mb"}, {"G", 2, -2}},
      {"treble-15ma", {"treble15ma", "g-15ma"}, {"G", 2, 2}},
      {"bass-8vb", {"bass8vb", "f-8vb", "f8vb"}, {"F", 4, -1}},
      {"bass-8va", {"bass8va", "f-8va", "f8va"}, {"F", 4, 1}},
      {"bass-15mb", {"bass15mb", "f-15mb"}, {"F", 4, -2}},
      {"bass-15ma", {"bass15ma", "f-15ma"}, {"F", 4, 2}},
      {"alto-8vb", {"c-8vb"}, {"C", 3, -1}},
      {"alto-8va", {"c-8va"}, {"C", 3, 1}},
      {"tenor-8vb", {}, {"C", 4, -1}},
      {"percussion", {"perc", "drums", "neutral"}, {"percussion", 0, 0}},
      {"tab", {"tablature"}, {"TAB", 5, 0}},
      {"jianpu", {}, {"jianpu", 0, 0}},
      {"none", {}, {"none", 0, 0}},
  };
  return table;
}

const std::vector<std::string_view>& clef_signs() {
  static const std::vector<std::string_view> signs{"G",   "F",      "C",   "percussion",
                                                   "TAB", "jianpu", "none"};
  return signs;
}

std::optional<std::string_view> find_clef_sign(std::string_view name) {
  for (auto sign : clef_signs())
    if (same_name(name, sign)) return sign;
  return std::nullopt;
}

std::optional<clef> find_clef(std::string_view name) {
  for (const auto& row : clef_table()) {
    if (same_name(name, row.name)) return row.value;
    for (auto alias : row.aliases)
      if (same_name(name, alias)) return row.value;
  }
  return std::nullopt;
}

std::optional<std::string_view> name_of(const clef& c) {
  auto line = c.line == 0 ? usual_line(c.sign) : c.line;
  for (const auto& row : clef_table())
    if (row.value.sign == c.sign && row.value.octave_change == c.octave_change &&
        (row.value.line == line || !has_line(c.sign)))
      return row.name;
  return std::nullopt;
}

}  // namespace fermata
