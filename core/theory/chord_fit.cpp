#include "core/theory/chord_fit.hpp"

#include "core/music/modular.hpp"
#include "core/theory/pitch_class_set.hpp"

#include <algorithm>
#include <cstdlib>

namespace fermata::detail {

namespace {
/// Weights chosen on the 21 analysed songs of When in Rome at hand; none is delicate.
constexpr double outside = 0.5;                       ///< per share of tones that the chord lacks
constexpr double missing[] = {0.3, 0.18, 0.06, 0.2};  ///< per chord tone that hardly sounds
constexpr double missing_of_even = 0.2;  ///< the same for chords that divide the octave evenly
constexpr double presence = 0.03;        ///< the share from which a tone counts as sounding
constexpr double root_in_bass = 0.1, member_in_bass = 0.05;
constexpr double foreign = 0.06;  ///< per chord tone outside the key

/// Augmented triads and diminished sevenths: any tone may be the root.
bool divides_evenly(const chord_template& t) { return t.semitones[2] == 8 || t.semitones[3] == 9; }

/// Whether a class is of the key, raised seventh of minor included.
bool belongs(int pc, const tonality& key) {
  constexpr pitch_class_set in_major{0, 2, 4, 5, 7, 9, 11}, in_minor{0, 2, 3, 5, 7, 8, 10, 11};
  return (is_minor(key) ? in_minor : in_major).contains(pc - pitch_class(key.tonic));
}

std::size_t place_index(int place) {
  return static_cast<std::size_t>(place - tone_weights::flattest);
}

}  // namespace

void tone_weights::add(pitch_name name, double weight) {
  by_class[static_cast<std::size_t>(pitch_class(name))] += weight;
  total += weight;
  if (auto place = line_of_fifths(name); place && *place >= flattest && *place <= sharpest)
    by_name[place_index(*place)] += weight;
}

double fit(const tone_weights& w, int root_class, const chord_template& t,
           const std::optional<tonality>& key) {
  double inside = 0, lacking = 0;
  bool bass_fits = false, even = divides_evenly(t);
  int foreign_tones = 0;
  for (std::size_t i = 0; i < t.size; ++i) {
    auto pc = mod(root_class + t.semitones[i], 12);
    auto there = w.by_class[static_cast<std::size_t>(pc)];
    inside += there;
    if (there < presence * w.total) lacking += even ? missing_of_even : missing[i];
    bass_fits = bass_fits || pc == w.lowest_class;
    if (key && !belongs(pc, *key)) ++foreign_tones;
  }
  if (w.total <= 0) return 0;
  auto share = inside / w.total;
  double score = share - outside * (1 - share) - lacking - t.rarity - foreign * foreign_tones;
  if (root_class == w.lowest_class && !even)
    score += root_in_bass;
  else if (bass_fits)
    score += member_in_bass;
  return score;
}

std::optional<fitted_chord> best_fit(const tone_weights& w, const std::optional<tonality>& key) {
  if (std::count_if(w.by_class.begin(), w.by_class.end(), [](double x) { return x > 0; }) < 2)
    return std::nullopt;
  fitted_chord best{0, 0, -100};
  for (int root = 0; root < 12; ++root)
    for (std::size_t kind = 0; kind < chord_templates.size(); ++kind)
      if (auto score = fit(w, root, chord_templates[kind], key); score > best.score)
        best = {root, kind, score};
  return best;
}

std::vector<pitch_name> spelled_tones(const tone_weights& w, const fitted_chord& c) {
  // Among the roots that sound right, the one whose chord is written most; then the nearest to D,
  // where keys have fewest accidentals. Of chords that divide the octave evenly every tone may be
  // the root, and only the spelling tells.
  const auto& t = chord_templates[c.kind];
  auto period = t.semitones[2] == 8 ? 4 : t.semitones[3] == 9 ? 3 : 12;
  std::optional<int> best;
  double best_share = 0;
  for (int place = -14; place <= 18; ++place) {
    if (mod(7 * place - c.root_class, period) != 0) continue;
    double share = -0.001 * std::abs(place - 2) * w.total;
    // Unless written otherwise, the root is what was fitted.
    if (mod(7 * place - c.root_class, 12) == 0) share += 0.05 * w.total;
    for (std::size_t i = 0; i < t.size; ++i) {
      auto at = place + t.fifths[i];
      if (at >= tone_weights::flattest && at <= tone_weights::sharpest)
        share += w.by_name[place_index(at)];
    }
    if (!best || share > best_share) {
      best_share = share;
      best = place;
    }
  }
  std::vector<pitch_name> tones;
  for (std::size_t i = 0; i < t.size; ++i)
    tones.push_back(from_line_of_fifths(*best + t.fifths[i]));
  return tones;
}

int bass_class(const tone_weights& w, const fitted_chord& c) {
  const auto& t = chord_templates[c.kind];
  auto is_tone = [&](int pc) {
    for (std::size_t i = 0; i < t.size; ++i)
      if (mod(c.root_class + t.semitones[i], 12) == pc) return true;
    return false;
  };
  if (is_tone(w.lowest_class)) return w.lowest_class;
  int best = c.root_class;
  double longest = 0;
  for (int pc = 0; pc < 12; ++pc)
    if (is_tone(pc) && w.in_bass[static_cast<std::size_t>(pc)] > longest) {
      longest = w.in_bass[static_cast<std::size_t>(pc)];
      best = pc;
    }
  return best;
}

}  // namespace fermata::detail
