#include "core/theory/chord_fit.hpp"

#include "core/music/modular.hpp"
#include "core/theory/pitch_class_set.hpp"

#include <algorithm>
#include <cstdlib>

namespace fermata::detail {

namespace {
/// Weights chosen on the 21 analysed songs of When in Rome at hand; none is delicate.
constexpr double outside_weight = 0.5;  ///< per share of tones that the chord lacks
constexpr double missing_weights[] = {0.3, 0.18, 0.06, 0.2};  ///< per chord tone that hardly sounds
constexpr double missing_of_even = 0.2;  ///< the same for chords that divide the octave evenly
constexpr double presence_share = 0.03;  ///< the share from which a tone counts as sounding
constexpr double root_in_bass = 0.1, member_in_bass = 0.05;
constexpr double foreign_weight = 0.06;  ///< per chord tone outside the key

/// Augmented triads and diminished sevenths: any tone may be the root.
bool divides_evenly(const chord_template& t) { return t.semitones[2] == 8 || t.semitones[3] == 9; }

/// What is the same for all templates that are compared with one span.
struct fit_context {
  pitch_class_set there;    ///< classes that sound long enough to count
  pitch_class_set foreign;  ///< classes outside the key; the raised seventh of minor is inside
};

fit_context context_of(const tone_weights& w, const std::optional<tonality>& key) {
  constexpr pitch_class_set in_major{0, 2, 4, 5, 7, 9, 11}, in_minor{0, 2, 3, 5, 7, 8, 10, 11};
  fit_context context;
  for (int pc = 0; pc < 12; ++pc)
    if (w.by_class[static_cast<std::size_t>(pc)] >= presence_share * w.total)
      context.there.insert(pc);
  if (key)
    context.foreign =
        complement(transposed(is_minor(*key) ? in_minor : in_major, pitch_class(key->tonic)));
  return context;
}

/// 1 when every tone fits and none is missing; the bass, rarity and the key move it.
double fit(const tone_weights& w, int root_class, const chord_template& t,
           const fit_context& context) {
  double inside = 0, off = t.rarity;
  bool bass_fits = false, even = divides_evenly(t);
  for (std::size_t i = 0; i < t.size; ++i) {
    auto pc = (root_class + t.semitones[i]) % 12;
    inside += w.by_class[static_cast<std::size_t>(pc)];
    if (!context.there.contains(pc)) off += even ? missing_of_even : missing_weights[i];
    if (context.foreign.contains(pc)) off += foreign_weight;
    bass_fits = bass_fits || pc == w.lowest_class;
  }
  auto share = inside / w.total;
  auto bass = root_class == w.lowest_class && !even ? root_in_bass : bass_fits ? member_in_bass : 0;
  return share - outside_weight * (1 - share) - off + bass;
}

/// The classes of each template on C.
const std::array<pitch_class_set, chord_templates.size()>& template_classes() {
  static const auto classes = [] {
    std::array<pitch_class_set, chord_templates.size()> sets;
    for (std::size_t kind = 0; kind < sets.size(); ++kind)
      for (std::size_t i = 0; i < chord_templates[kind].size; ++i)
        sets[kind].insert(chord_templates[kind].semitones[i]);
    return sets;
  }();
  return classes;
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

std::optional<fitted_chord> best_fit(const tone_weights& w, const std::optional<tonality>& key) {
  if (std::count_if(w.by_class.begin(), w.by_class.end(), [](double x) { return x > 0; }) < 2)
    return std::nullopt;
  auto context = context_of(w, key);
  fitted_chord best{0, 0, -100};
  for (std::size_t kind = 0; kind < chord_templates.size(); ++kind)
    for (int root = 0; root < 12; ++root) {
      // A chord of which one tone sounds, or none, is not heard. This is most of them.
      if (intersection(transposed(template_classes()[kind], root), context.there).size() < 2)
        continue;
      if (auto score = fit(w, root, chord_templates[kind], context); score > best.score)
        best = {root, kind, score};
    }
  if (best.score <= -100) return std::nullopt;
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
