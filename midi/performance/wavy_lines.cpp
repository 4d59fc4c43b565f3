#include "midi/performance/wavy_lines.hpp"

#include "core/score/model/spanners.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>

namespace fermata::midi {

namespace {

const chord_rest* chord_of(const part& p, const spanner_end_place& e) {
  return std::get_if<chord_rest>(&p.measures.music_at(e.measure).items[e.item].content);
}

}  // namespace

wavy_lines::wavy_lines(const part& p, const std::vector<quarters>& starts) {
  auto ends = spanner_ends(p, 0, p.measures.size());
  std::erase_if(ends, [](auto& e) { return e.kind != spanner_kind::wavy_line; });
  auto place = [&](const spanner_end_place& e) {
    return starts[e.measure] + (e.at - measure_position{});
  };
  auto add = [&](const spanner_end_place& from, const spanner_end_place& to) {
    if (auto* x = chord_of(p, from))
      voices_[x->voice].push_back(
          {place(from),
           place(to),
           {mark_kind::trill_mark, "", x->notes[from.note].spanners[from.index].extra}});
  };
  auto found = pair_spanners(ends);
  for (auto& [start, stop] : found.pairs)
    add(start, stop);
  for (auto& e : found.unpaired)
    add(e, e);
  for (auto& [voice, spans] : voices_) {
    std::stable_sort(spans.begin(), spans.end(), [](auto& a, auto& b) { return a.from < b.from; });
    // A line inside another does not end it.
    for (std::size_t i = 1; i < spans.size(); ++i)
      spans[i].to = std::max(spans[i].to, spans[i - 1].to);
  }
}

const mark* wavy_lines::trill_at(const std::string& voice, quarters written) const {
  auto found = voices_.find(voice);
  if (found == voices_.end()) return nullptr;
  auto& spans = found->second;
  auto after = std::upper_bound(spans.begin(), spans.end(), written,
                                [](quarters q, const span& s) { return q < s.from; });
  if (after == spans.begin()) return nullptr;
  auto& line = *std::prev(after);
  return written <= line.to ? &line.trill : nullptr;
}

}  // namespace fermata::midi
