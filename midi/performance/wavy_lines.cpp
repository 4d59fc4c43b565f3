#include "midi/performance/wavy_lines.hpp"

#include "core/score/model/spanners.hpp"

#include <algorithm>
#include <iterator>

namespace fermata::midi {

namespace {

/// The attributes of the beginning of a line.
preserved attributes_of(const part& p, const spanner_end_place& e) {
  auto& item = p.measures.music_at(e.measure).items[e.item];
  auto* x = std::get_if<chord_rest>(&item.content);
  if (!x || e.note >= x->notes.size()) return {};
  for (auto& s : x->notes[e.note].spanners)
    if (s.kind == spanner_kind::wavy_line && s.end == span_end::start && s.number == e.number)
      return s.extra;
  return {};
}

}  // namespace

wavy_lines::wavy_lines(const part& p, const std::vector<quarters>& starts) {
  auto ends = spanner_ends(p, 0, p.measures.size());
  std::erase_if(ends, [](auto& e) { return e.kind != spanner_kind::wavy_line; });
  auto place = [&](const spanner_end_place& e) {
    return starts[e.measure] + (e.at - measure_position{});
  };
  for (auto& [start, stop] : pair_spanners(ends).pairs) {
    auto& item = p.measures.music_at(start.measure).items[start.item];
    if (auto* x = std::get_if<chord_rest>(&item.content))
      voices_[x->voice].push_back(
          {place(start), place(stop), {mark_kind::trill_mark, "", attributes_of(p, start)}});
  }
  for (auto& [voice, spans] : voices_)
    std::stable_sort(spans.begin(), spans.end(), [](auto& a, auto& b) { return a.from < b.from; });
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
