#include "core/score/model/measure.hpp"

#include <algorithm>

namespace fermata {

void begin_repeat(barline& b) {
  b.style = "heavy-light";
  b.repeat = "forward";
}

void end_repeat(barline& b) {
  b.style = "light-heavy";
  b.repeat = "backward";
}

quarters extent(const measure& m) {
  auto end = m.padded_to;
  for (auto& item : m.items)
    if (auto* x = std::get_if<chord_rest>(&item.content)) end = std::max(end, item.at + x->length);
  return end - measure_position{};
}

std::vector<std::string> voices(const measure& m) {
  std::vector<std::string> names;
  for (auto& item : m.items)
    if (auto* x = std::get_if<chord_rest>(&item.content))
      if (std::find(names.begin(), names.end(), x->voice) == names.end()) names.push_back(x->voice);
  return names;
}

}  // namespace fermata
