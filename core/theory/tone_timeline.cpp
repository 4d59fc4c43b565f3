#include "core/theory/tone_timeline.hpp"

#include "core/music/modular.hpp"

#include <algorithm>
#include <set>

namespace fermata::detail {

tone_weights weights_in(const std::vector<timed_note>& notes, const time_span& span) {
  tone_weights w;
  struct piece {
    quarters begin, end;
    fermata::pitch pitch;
  };
  std::vector<piece> pieces;
  std::set<quarters> times;
  for (const auto& n : notes) {
    auto begin = std::max(n.onset, span.begin), end = std::min(n.onset + n.length, span.end);
    if (begin >= end) continue;
    pieces.push_back({begin, end, n.pitch});
    times.insert(begin);
    w.add(n.pitch.name(), (end - begin).value.to_double());
  }
  if (pieces.empty()) return w;
  auto lower = [](const piece& a, const piece& b) {
    return midi_cents(a.pitch) < midi_cents(b.pitch);
  };
  w.lowest_class = pitch_class(std::min_element(pieces.begin(), pieces.end(), lower)->pitch.name());
  times.insert(span.end);
  for (auto t = times.begin(); std::next(t) != times.end(); ++t) {
    const piece* lowest = nullptr;
    for (const auto& p : pieces)
      if (p.begin <= *t && p.end > *t && (!lowest || lower(p, *lowest))) lowest = &p;
    if (lowest)
      w.in_bass[static_cast<std::size_t>(pitch_class(lowest->pitch.name()))] +=
          (*std::next(t) - *t).value.to_double();
  }
  return w;
}

span_chord named_chord(const tone_weights& w, const fitted_chord& c, const time_span& span) {
  span_chord chord{span, spelled_tones(w, c), {}};
  auto bass = bass_class(w, c);
  chord.bass = chord.tones.front();
  for (auto t : chord.tones)
    if (pitch_class(t) == bass) chord.bass = t;
  return chord;
}

}  // namespace fermata::detail
