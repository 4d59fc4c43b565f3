// Where chords change: the part of harmonic_analysis.hpp that needs a search over time.

#include "core/theory/chord_fit.hpp"
#include "core/theory/harmonic_analysis.hpp"
#include "core/theory/tone_timeline.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>

namespace fermata {

namespace {
/// In beats of a perfect fit. Both only keep the analysis from following every passing tone; on the
/// analysed songs anything from 0 to 0.2 does nearly the same.
constexpr double chord_change_cost = 0.12, off_beat_change_cost = 0.15;
/// What silence or a single tone counts for, per beat.
constexpr double no_chord_score = 0.3;
/// The longest stretch that is compared with one chord, in beats; longer chords are joined after.
constexpr double longest_segment = 8;

/// What sounds between two neighbouring places of the grid.
struct grid_slice {
  detail::tone_weights weights;
  int lowest_cents = std::numeric_limits<int>::max();
};

/// The places where chords may change: onsets on the grid of half beats, and the end.
std::vector<quarters> grid_of(const std::vector<timed_note>& notes, quarters beat) {
  auto step = std::min(beat, quarters{1}) / rational{2};
  std::vector<quarters> places;
  quarters end;
  for (const auto& n : notes) {
    if ((n.onset / step).is_integer()) places.push_back(n.onset);
    end = std::max(end, n.onset + n.length);
  }
  if (!notes.empty()) {
    auto first =
        std::min_element(notes.begin(), notes.end(), [](const timed_note& a, const timed_note& b) {
          return a.onset < b.onset;
        });
    places.push_back(first->onset);
    places.push_back(end);
  }
  std::sort(places.begin(), places.end());
  places.erase(std::unique(places.begin(), places.end()), places.end());
  return places;
}

std::vector<grid_slice> grid_slices_of(const std::vector<timed_note>& notes,
                                       const std::vector<quarters>& places) {
  std::vector<grid_slice> slices(places.empty() ? 0 : places.size() - 1);
  for (const auto& n : notes) {
    auto end = n.onset + n.length;
    auto first = std::upper_bound(places.begin(), places.end(), n.onset) - places.begin() - 1;
    for (auto i = static_cast<std::size_t>(std::max<std::ptrdiff_t>(first, 0));
         i < slices.size() && places[i] < end; ++i) {
      auto from = std::max(n.onset, places[i]), to = std::min(end, places[i + 1]);
      if (from >= to) continue;
      auto& slice = slices[i];
      slice.weights.add(n.pitch.name(), (to - from).value.to_double());
      if (midi_cents(n.pitch) < slice.lowest_cents) {
        slice.lowest_cents = midi_cents(n.pitch);
        slice.weights.lowest_class = pitch_class(n.pitch.name());
      }
    }
  }
  return slices;
}

void join(grid_slice& sum, const grid_slice& part) {
  for (std::size_t i = 0; i < sum.weights.by_class.size(); ++i)
    sum.weights.by_class[i] += part.weights.by_class[i];
  sum.weights.total += part.weights.total;
  if (part.lowest_cents < sum.lowest_cents) {
    sum.lowest_cents = part.lowest_cents;
    sum.weights.lowest_class = part.weights.lowest_class;
  }
}

}  // namespace

std::vector<span_chord> chords_in(const std::vector<timed_note>& notes,
                                  const std::vector<key_change>& keys, quarters beat) {
  if (beat <= quarters{}) beat = quarters{1};
  auto places = grid_of(notes, beat);
  auto slices = grid_slices_of(notes, places);
  auto key_from = [&](std::size_t i) {
    return keys.empty() ? std::nullopt : std::optional{key_at(keys, places[i])};
  };
  // best[i]: the most that chords up to place i explain; from[i]: where the last of them begins.
  std::vector<double> best(places.size(), -std::numeric_limits<double>::infinity());
  std::vector<std::size_t> from(places.size(), 0);
  if (!places.empty()) best[0] = 0;
  for (std::size_t i = 0; i + 1 < places.size(); ++i) {
    grid_slice sum;
    auto key = key_from(i);
    auto cost = chord_change_cost + ((places[i] / beat).is_integer() ? 0 : off_beat_change_cost);
    for (auto j = i; j < slices.size(); ++j) {
      join(sum, slices[j]);
      auto length = (places[j + 1] - places[i]) / beat;
      if (j > i && length.to_double() > longest_segment) break;
      auto chord = detail::best_fit(sum.weights, key);
      auto explained = (chord ? chord->score : no_chord_score) * length.to_double() - cost;
      if (best[i] + explained > best[j + 1]) {
        best[j + 1] = best[i] + explained;
        from[j + 1] = i;
      }
    }
  }
  std::vector<time_span> spans;
  for (auto end = places.empty() ? 0 : places.size() - 1; end > 0; end = from[end])
    spans.push_back({places[from[end]], places[end]});
  std::reverse(spans.begin(), spans.end());
  auto chords = chords_in(notes, spans, keys);
  std::vector<span_chord> joined;
  for (auto& c : chords) {
    if (!joined.empty() && joined.back().tones == c.tones && joined.back().bass == c.bass &&
        joined.back().span.end == c.span.begin)
      joined.back().span.end = c.span.end;
    else
      joined.push_back(std::move(c));
  }
  return joined;
}

}  // namespace fermata
