#include "midi/performance/unplayed_marks.hpp"

#include "midi/performance/harmonic.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace fermata::midi {

namespace {

constexpr std::array<mark_kind, 5> unplayed = {mark_kind::other_ornament, mark_kind::brass_bend,
                                               mark_kind::flip, mark_kind::smear,
                                               mark_kind::harmonic};

struct found_marks {
  std::size_t count = 0;
  std::size_t measure = 0;  ///< of the first, index
  std::string number;       ///< as printed
};

}  // namespace

std::vector<diagnostic> unplayed_marks(const score& s, bool ornaments) {
  std::array<found_marks, unplayed.size()> found;
  for (auto& p : s.parts)
    for (std::size_t i = 0; i < p->measures.size(); ++i)
      for (auto& item : p->measures.music_at(i).items) {
        auto* x = std::get_if<chord_rest>(&item.content);
        if (!x) continue;
        for (auto& n : x->notes)
          for (auto& m : n.marks) {
            auto kind = std::find(unplayed.begin(), unplayed.end(), m.kind);
            if (kind == unplayed.end()) continue;
            if (m.kind == mark_kind::harmonic ? !harmonic_in(*x, n).is_unclear : !ornaments)
              continue;
            auto& f = found[static_cast<std::size_t>(kind - unplayed.begin())];
            if (f.count++ == 0 || i < f.measure) {
              f.measure = i;
              f.number = p->measures[i]->number;
            }
          }
      }
  std::vector<diagnostic> all;
  for (std::size_t k = 0; k < unplayed.size(); ++k)
    if (auto& f = found[k]; f.count > 0)
      all.push_back({errc::left_out,
                     "not played: " + std::string{info(unplayed[k]).xml_name} + " (" +
                         (f.count > 1 ? std::to_string(f.count) + ", first in" : "in") +
                         " measure " + f.number + ")",
                     {},
                     {}});
  return all;
}

}  // namespace fermata::midi
