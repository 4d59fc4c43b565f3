#include "midi/performance/dynamic_levels.hpp"

#include <algorithm>
#include <array>

namespace fermata::midi {

namespace {

struct dynamic_row {
  std::string_view name;
  double attack;
  double level;  ///< 0: stays
};
constexpr std::array dynamic_table{
    dynamic_row{"n", 1, 1},        dynamic_row{"pppppp", 1, 1},    dynamic_row{"ppppp", 1, 1},
    dynamic_row{"pppp", 10, 10},   dynamic_row{"ppp", 23, 23},     dynamic_row{"pp", 36, 36},
    dynamic_row{"p", 49, 49},      dynamic_row{"mp", 62, 62},      dynamic_row{"mf", 75, 75},
    dynamic_row{"f", 88, 88},      dynamic_row{"ff", 101, 101},    dynamic_row{"fff", 114, 114},
    dynamic_row{"ffff", 127, 127}, dynamic_row{"fffff", 127, 127}, dynamic_row{"ffffff", 127, 127},
    dynamic_row{"sf", 101, 0},     dynamic_row{"fz", 101, 0},      dynamic_row{"sfz", 101, 0},
    dynamic_row{"rf", 101, 0},     dynamic_row{"rfz", 101, 0},     dynamic_row{"sffz", 114, 0},
    dynamic_row{"fp", 88, 49},     dynamic_row{"sfp", 101, 49},    dynamic_row{"sfzp", 101, 49},
    dynamic_row{"sfpp", 101, 36},  dynamic_row{"pf", 49, 88}};

const dynamic_row* row_of(std::string_view name) {
  for (auto& row : dynamic_table)
    if (row.name == name) return &row;
  return nullptr;
}

}  // namespace

double velocity_of_percent(double percent) { return percent * 90 / 100; }

std::optional<dynamic_level> level_of(std::string_view names, double in_force) {
  std::optional<dynamic_level> found;
  while (!names.empty()) {
    auto end = std::min(names.find(' '), names.size());
    auto* row = row_of(names.substr(0, end));
    names.remove_prefix(std::min(end + 1, names.size()));
    if (!row) continue;
    if (!found) {
      auto attack = row->level == 0 ? std::max(row->attack, in_force + level_step) : row->attack;
      found = dynamic_level{attack, std::nullopt};
    }
    if (row->level != 0) found->level = row->level;
  }
  return found;
}

}  // namespace fermata::midi
