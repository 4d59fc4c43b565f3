#include "midi/performance/articulation.hpp"

#include "core/score/model/spanners.hpp"

#include <algorithm>

namespace fermata::midi {

articulation articulation_of(const chord_rest& x, bool under_slur) {
  articulation a;
  bool staccato = false, staccatissimo = false, portato = false, tenuto = false;
  for (auto& n : x.notes)
    for (auto& m : n.marks) {
      staccato |= m.kind == mark_kind::staccato || m.kind == mark_kind::spiccato;
      staccatissimo |= m.kind == mark_kind::staccatissimo;
      portato |= m.kind == mark_kind::detached_legato;
      tenuto |= m.kind == mark_kind::tenuto;
      a.breath |= m.kind == mark_kind::breath_mark;
      if (m.kind == mark_kind::unstress) a.extra_velocity = std::min(a.extra_velocity, -10);
      if (m.kind == mark_kind::stress || m.kind == mark_kind::soft_accent)
        a.extra_velocity = std::max(a.extra_velocity, 10);
      if (m.kind == mark_kind::accent) a.extra_velocity = std::max(a.extra_velocity, 20);
      if (m.kind == mark_kind::strong_accent) a.extra_velocity = std::max(a.extra_velocity, 40);
    }
  portato |= staccato && (tenuto || under_slur);
  if (staccatissimo)
    a.length_factor = rational{1, 4};
  else if (portato)
    a.length_factor = rational{3, 4};
  else if (staccato)
    a.length_factor = rational{1, 2};
  else if (!tenuto && !under_slur)
    a.length_factor = rational{7, 8};
  if (staccatissimo)
    a.extra_velocity += 6;
  else if (staccato && !portato)
    a.extra_velocity += 4;
  return a;
}

quarters articulated(quarters length, const articulation& a) {
  auto sounds = length * a.length_factor;
  if (a.breath) {
    auto early = std::max(length - quarters{rational{1, 2}}, length * rational{1, 2});
    sounds = std::min(sounds, early);
  }
  return sounds;
}

slurred_places::slurred_places(const part& p, const std::vector<quarters>& starts) {
  auto ends = spanner_ends(p, 0, p.measures.size());
  std::erase_if(ends, [](auto& e) { return e.kind != spanner_kind::slur; });
  auto place = [&](const spanner_end_place& e) {
    return starts[e.measure] + (e.at - measure_position{});
  };
  for (auto& [start, stop] : pair_spanners(ends).pairs) {
    auto& item = p.measures.music_at(start.measure).items[start.item];
    auto* x = std::get_if<chord_rest>(&item.content);
    if (x && place(stop) > place(start)) voices_[x->voice].push_back({place(start), place(stop)});
  }
  for (auto& [voice, spans] : voices_) {
    std::sort(spans.begin(), spans.end(), [](auto& a, auto& b) { return a.from < b.from; });
    std::vector<span> joined;
    for (auto& s : spans)
      if (!joined.empty() && s.from < joined.back().to)
        joined.back().to = std::max(joined.back().to, s.to);
      else
        joined.push_back(s);
    spans = std::move(joined);
  }
}

bool slurred_places::joins(const std::string& voice, quarters written) const {
  auto found = voices_.find(voice);
  if (found == voices_.end()) return false;
  auto& spans = found->second;
  auto after = std::upper_bound(spans.begin(), spans.end(), written,
                                [](quarters q, const span& s) { return q < s.from; });
  return after != spans.begin() && written < std::prev(after)->to;
}

}  // namespace fermata::midi
