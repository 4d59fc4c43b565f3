#pragma once

#include "core/music/clef.hpp"
#include "core/score/model/walk.hpp"
#include "typed_session.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace fermata::test {

/// "measure:position staff tone" of every note of the first part, measure by measure.
inline std::vector<std::string> places(const session& s) {
  std::vector<std::string> out;
  for (std::size_t m = 0; m < s.score->parts.at(0)->measures.size(); ++m)
    for (const auto& [at, x] : rhythm_of(*s.score, 0, m))
      if (auto p = std::get_if<pitch>(&x.notes.front().tone))
        out.push_back(std::to_string(m + 1) + ":" + to_string(at) + " " + std::to_string(x.staff) +
                      " " + to_string(*p));
  return out;
}

/// Clefs as they are said: "measure:position staff name".
inline std::vector<std::string> clefs(const session& s) {
  std::vector<std::string> out;
  for (std::size_t m = 0; m < s.score->parts.at(0)->measures.size(); ++m)
    for (const auto& item : s.score->parts[0]->measures[m]->items)
      if (auto a = std::get_if<attributes>(&item.content))
        for (const auto& c : a->clefs)
          out.push_back(std::to_string(m + 1) + ":" + to_string(item.at.value) + " " +
                        std::to_string(c.staff.value_or(1)) + " " +
                        std::string{name_of(c.value).value_or("none")});
  return out;
}

inline std::vector<std::string> sorted(std::vector<std::string> x) {
  std::sort(x.begin(), x.end());
  return x;
}

}  // namespace fermata::test
