#include "midi/performance/pauses.hpp"

#include "midi/performance/playback_text.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace fermata::midi {

namespace {

constexpr double caesura_seconds = 2;

double fermata_factor(const mark& m) {
  if (m.text == "double-angled" || m.text == "half-curve") return 1.25;
  if (m.text == "square" || m.text == "double-dot") return 2;
  if (m.text == "double-square") return 3;
  return 1.5;
}

struct held_marks {
  std::optional<double> fermata;
  bool caesura = false;
};

held_marks held_marks_of(const chord_rest& x) {
  held_marks found;
  for (auto& n : x.notes)
    for (auto& m : n.marks) {
      if (m.kind == mark_kind::fermata_mark)
        found.fermata = std::max(found.fermata.value_or(1), fermata_factor(m));
      found.caesura |= m.kind == mark_kind::caesura;
    }
  return found;
}

bool has_fermata(const barline& b) { return !child_of(b.extra, "fermata").empty(); }

}  // namespace

pauses pauses_of(const score& s, const std::vector<quarters>& starts) {
  std::map<quarters, held_time> by_end;
  std::set<quarters> caesuras;
  for (auto& p : s.parts)
    for (std::size_t i = 0; i < p->measures.size(); ++i)
      for (auto& item : p->measures.music_at(i).items) {
        if (auto* b = std::get_if<barline>(&item.content); b && has_fermata(*b)) {
          auto at = starts[i] + (item.at - measure_position{});
          if (at > quarters{caesura_gap}) caesuras.insert(at);
        }
        auto* x = std::get_if<chord_rest>(&item.content);
        if (!x || x->grace || x->cue) continue;
        auto marks = held_marks_of(*x);
        auto from = starts[i] + (item.at - measure_position{}), to = from + x->length;
        if (marks.fermata && to > from) {
          auto [place, is_new] = by_end.try_emplace(to, held_time{from, to, *marks.fermata, 0});
          if (!is_new) {
            place->second.from = std::max(place->second.from, from);
            place->second.factor = std::max(place->second.factor, *marks.fermata);
          }
        }
        if (marks.caesura && to > quarters{caesura_gap}) caesuras.insert(to);
      }
  pauses found;
  found.caesuras.assign(caesuras.begin(), caesuras.end());
  for (auto end : caesuras) {
    // The gap is cut out of a fermata that ends there, so that they do not overlap.
    auto gap = held_time{end - quarters{caesura_gap}, end, 1, caesura_seconds};
    if (auto held = by_end.find(end); held != by_end.end()) {
      gap.factor = held->second.factor;
      held->second.to = gap.from;
    }
    found.held.push_back(gap);
  }
  for (auto& [end, held] : by_end)
    if (held.from < held.to) found.held.push_back(held);
  std::stable_sort(found.held.begin(), found.held.end(),
                   [](auto& a, auto& b) { return a.from < b.from; });
  for (std::size_t i = 0; i + 1 < found.held.size(); ++i)
    found.held[i].to = std::min(found.held[i].to, found.held[i + 1].from);
  std::erase_if(found.held, [](auto& h) { return h.from >= h.to; });
  return found;
}

}  // namespace fermata::midi
