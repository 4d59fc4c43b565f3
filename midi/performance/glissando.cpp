#include "midi/performance/glissando.hpp"

#include "core/score/model/spanners.hpp"

#include <cstdlib>
#include <vector>

namespace fermata::midi {

std::map<note_place, glide> glides_of(const part& p) {
  auto ends = spanner_ends(p, 0, p.measures.size());
  std::erase_if(ends, [](auto& e) {
    return e.kind != spanner_kind::glissando && e.kind != spanner_kind::slide;
  });
  std::map<note_place, glide> glides;
  for (auto& [start, stop] : pair_spanners(ends).pairs) {
    note_place from{start.measure, start.item, start.note};
    note_place to{stop.measure, stop.item, stop.note};
    auto* first = std::get_if<pitch>(&note_at(p, from).tone);
    auto* second = std::get_if<pitch>(&note_at(p, to).tone);
    if (!first || !second) continue;
    auto cents = midi_cents(*second) - midi_cents(*first);
    bool continuous = start.kind == spanner_kind::slide && std::abs(cents) <= widest_slide;
    glides[from] = {cents, continuous};
  }
  return glides;
}

}  // namespace fermata::midi
