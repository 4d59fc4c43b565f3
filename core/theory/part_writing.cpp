#include "core/theory/part_writing.hpp"

#include "core/music/interval.hpp"
#include "core/music/modular.hpp"
#include "core/theory/voice_leading.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>

namespace fermata {

namespace {

constexpr std::size_t voice_count = 4, bass_voice = 0, soprano_voice = 3;

/// What rules weigh, in semitones of movement. A forbidden thing outweighs any whole piece.
constexpr double cost_forbidden = 10000, cost_hard = 60, cost_strong = 12, cost_mild = 3;

/// Of each chord so many positions are kept, the best by themselves.
constexpr std::size_t max_positions = 90;

struct position {
  std::array<pitch, voice_count> pitches;
  std::array<std::size_t, voice_count> tones;  ///< which tone of the chord each voice has
  double cost = 0;                             ///< doubling, spacing and range by themselves
};

int cents(pitch p) { return midi_cents(p); }

double semitones(int cents) { return cents / 100.0; }

/// The pitches of a name between two others.
std::vector<pitch> in_range(pitch_name name, voice_range range) {
  std::vector<pitch> result;
  for (int octave = range.low.octave - 1; octave <= range.high.octave + 1; ++octave) {
    pitch p{name.letter, name.cents, static_cast<std::int16_t>(octave)};
    if (cents(p) >= cents(range.low) && cents(p) <= cents(range.high)) result.push_back(p);
  }
  return result;
}

/// Lists the positions of one chord.
class position_finder {
public:
  explicit position_finder(const chord_to_voice& chord) : chord_(chord) {}

  std::vector<position> all() {
    const auto& ranges = satb_ranges();
    auto basses = chord_.given_bass ? std::vector<pitch>{*chord_.given_bass}
                                    : in_range(chord_.tones[chord_.bass], ranges[bass_voice]);
    for (auto p : basses) {
      current_.pitches[bass_voice] = p;
      current_.tones[bass_voice] = chord_.bass;
      place(1);
    }
    std::stable_sort(found_.begin(), found_.end(),
                     [](const position& a, const position& b) { return a.cost < b.cost; });
    if (found_.size() > max_positions) found_.resize(max_positions);
    return std::move(found_);
  }

private:
  void place(std::size_t voice) {
    if (voice == voice_count) {
      if (auto cost = judged()) {
        current_.cost = *cost;
        found_.push_back(current_);
      }
      return;
    }
    auto below = cents(current_.pitches[voice - 1]);
    // Upper voices within an octave, the bass within an octave and a sixth of the tenor.
    auto widest = voice == 1 ? 2100 : 1200;
    for (std::size_t t = 0; t < chord_.tones.size(); ++t)
      for (auto p : in_range(chord_.tones[t], satb_ranges()[voice]))
        if (cents(p) >= below && cents(p) - below <= widest) {
          current_.pitches[voice] = p;
          current_.tones[voice] = t;
          place(voice + 1);
        }
  }

  std::optional<double> judged() const {
    double cost = 0;
    for (std::size_t t = 0; t < chord_.tones.size(); ++t) {
      auto count = std::count(current_.tones.begin(), current_.tones.end(), t);
      if (count == 0) {
        // Only a fifth is missed by nobody, and a root below a ninth by few.
        bool fifth =
            mod(static_cast<int>(chord_.tones[t].letter) - static_cast<int>(chord_.tones[0].letter),
                7) == 4;
        if (!fifth && !(t == 0 && chord_.tones.size() > 4)) return std::nullopt;
        cost += chord_.tones.size() > 3 ? cost_mild : cost_strong;
      }
      if (count > 1) cost += doubling(t) * static_cast<double>(count - 1);
    }
    for (std::size_t v = 1; v < voice_count; ++v)
      if (current_.pitches[v] == current_.pitches[v - 1]) cost += v == 1 ? cost_mild : 1.5;
    // Close to the middle of each range singers are comfortable.
    for (std::size_t v = 0; v < voice_count; ++v) {
      const auto& r = satb_ranges()[v];
      auto middle = (cents(r.low) + cents(r.high)) / 2;
      cost += 0.08 * std::abs(semitones(cents(current_.pitches[v]) - middle));
    }
    return cost;
  }

  /// What it costs to give tone `t` to a second voice.
  double doubling(std::size_t t) const {
    auto name = chord_.tones[t];
    if ((chord_.leading_tone && name == *chord_.leading_tone) ||
        (chord_.seventh && name == *chord_.seventh))
      return cost_forbidden;
    bool diminished = chord_.tones.size() > 2 &&
                      mod(pitch_class(chord_.tones[2]) - pitch_class(chord_.tones[0]), 12) == 6;
    if (diminished) return t == 1 ? 0 : cost_mild;
    if (t == 0) return 0;
    // In a six-four chord the bass is doubled, in others the fifth is no harm; the third is heard.
    if (t == 2) return chord_.bass == 2 ? -1 : 1;
    return cost_mild;
  }

  const chord_to_voice& chord_;
  position current_;
  std::vector<position> found_;
};

bool is_perfect(interval i, int steps, int semitones_in_octave) {
  return mod(i.steps, 7) == steps && mod(i.semitones, 12) == semitones_in_octave;
}

/// What it costs to go from one position to another.
class transition {
public:
  transition(const chord_to_voice& from, const chord_to_voice& to) : from_(from), to_(to) {}

  double cost(const position& a, const position& b) const {
    double total = 0;
    for (std::size_t v = 0; v < voice_count; ++v) {
      total += voice_cost(a, b, v);
      if (v + 1 < voice_count && (cents(b.pitches[v]) > cents(a.pitches[v + 1]) ||
                                  cents(b.pitches[v + 1]) < cents(a.pitches[v])))
        total += cost_hard;
    }
    for (std::size_t low = 0; low < voice_count; ++low)
      for (auto high = low + 1; high < voice_count; ++high)
        total += pair_cost(a, b, low, high);
    return total;
  }

private:
  double voice_cost(const position& a, const position& b, std::size_t v) const {
    auto move = between(a.pitches[v], b.pitches[v]);
    auto distance = std::abs(semitones(cents(b.pitches[v]) - cents(a.pitches[v])));
    double cost = v == bass_voice ? 0.4 * distance : distance;
    if (v != bass_voice && distance > 5) cost += cost_mild + distance - 5;
    if (v == bass_voice && distance > 7 && distance != 12) cost += cost_mild;
    if (distance > 12) cost += cost_hard;
    // Augmented steps and leaps are hard to sing; the diminished ones are not.
    auto natural = natural_semitones(std::abs(move.steps));
    if (distance > natural && move.steps != 0) cost += cost_strong;
    cost += resolution_cost(a, b, v, move);
    return cost;
  }

  double resolution_cost(const position& a, const position& b, std::size_t v, interval move) const {
    double cost = 0;
    auto name = a.pitches[v].name();
    if (from_.leading_tone && from_.tonic && name == *from_.leading_tone &&
        has(to_, *from_.tonic) && !has(to_, name)) {
      if (b.pitches[v].name() != *from_.tonic || move.steps != 1)
        // Inside, the leading tone may drop a third to complete the next chord.
        cost += v == soprano_voice || v == bass_voice ? cost_hard
                : move.steps == -2                    ? cost_mild + 2
                                                      : cost_strong;
    }
    if (from_.seventh && name == *from_.seventh && move.steps != 0) {
      if (move.steps != -1) cost += cost_hard;
    }
    if (from_.seventh && name == *from_.seventh && move.steps == 0 && move.semitones != 0)
      cost += cost_strong;
    return cost;
  }

  double pair_cost(const position& a, const position& b, std::size_t low, std::size_t high) const {
    auto low_moves = cents(b.pitches[low]) - cents(a.pitches[low]);
    auto high_moves = cents(b.pitches[high]) - cents(a.pitches[high]);
    if (low_moves == 0 || high_moves == 0) return 0;
    auto before = between(a.pitches[low], a.pitches[high]);
    auto after = between(b.pitches[low], b.pitches[high]);
    bool similar = (low_moves > 0) == (high_moves > 0);
    bool fifth = is_perfect(after, 4, 7), octave = is_perfect(after, 0, 0);
    if (fifth && is_perfect(before, 4, 7)) return similar ? cost_forbidden : cost_hard;
    if (octave && is_perfect(before, 0, 0)) return similar ? cost_forbidden : cost_hard;
    // A diminished fifth that grows perfect is heard as parallel when the bass takes part.
    if (fifth && low == bass_voice && similar && mod(before.steps, 7) == 4) return cost_strong;
    if ((fifth || octave) && low == bass_voice && high == soprano_voice && similar &&
        std::abs(between(a.pitches[high], b.pitches[high]).steps) > 1)
      return cost_strong;
    return similar && low == bass_voice && high == soprano_voice ? 0.5 : 0;
  }

  static bool has(const chord_to_voice& chord, pitch_name name) {
    return std::find(chord.tones.begin(), chord.tones.end(), name) != chord.tones.end();
  }

  static int natural_semitones(int steps) {
    return semitones_above_c(static_cast<step>(steps % 7)) + 12 * (steps / 7);
  }

  const chord_to_voice& from_;
  const chord_to_voice& to_;
};

}  // namespace

result<chord_to_voice> chord_to_voice_of(const roman_numeral& n, const tonality& key) {
  auto chord = chord_of(n, key);
  if (!chord) return fail(chord.error());
  auto local = key;
  if (!n.applied_to.empty()) local = tonicized_key(n.applied_to.front(), key).value_or(key);
  chord_to_voice result;
  result.tones = chord->tones;
  result.bass = chord->bass;
  auto above_tonic = [&](int steps, int semitones) {
    return transposed(local.tonic, interval{steps, semitones});
  };
  bool augmented_sixth = n.kind != numeral_kind::degree && n.kind != numeral_kind::neapolitan &&
                         n.kind != numeral_kind::cadential_six_four;
  if (augmented_sixth) {
    // Both ends of the sixth open out to the dominant.
    result.leading_tone = above_tonic(3, 6);
    result.tonic = above_tonic(4, 7);
    result.seventh = above_tonic(5, 8);
    return result;
  }
  result.leading_tone = above_tonic(-1, -1);
  if (n.kind == numeral_kind::degree && (n.degree == 5 || n.degree == 7))
    result.tonic = local.tonic;
  if (n.kind == numeral_kind::degree && n.extension >= 7 && chord->tones.size() > 3)
    result.seventh = chord->tones[3];
  return result;
}

result<std::vector<std::vector<pitch>>> write_parts(const std::vector<chord_to_voice>& chords,
                                                    const part_writing_options& options) {
  std::vector<std::vector<position>> positions;
  for (std::size_t i = 0; i < chords.size(); ++i) {
    if (chords[i].tones.empty() || chords[i].tones.size() > 5)
      return fail({errc::invalid_chord, "chord " + std::to_string(i + 1) +
                                            " cannot be written for four voices: it has " +
                                            std::to_string(chords[i].tones.size()) + " tones"});
    positions.push_back(position_finder{chords[i]}.all());
    if (positions.back().empty())
      return fail({errc::invalid_chord, "chord " + std::to_string(i + 1) +
                                            " has no voicing within the ranges of four voices"});
  }
  // best[i][j]: the least cost of all ways that end in position j of chord i, and where they came
  // from.
  std::vector<std::vector<double>> best;
  std::vector<std::vector<std::size_t>> from;
  for (std::size_t i = 0; i < chords.size(); ++i) {
    best.emplace_back();
    from.emplace_back();
    for (const auto& p : positions[i]) {
      double least = i == 0 ? 0 : std::numeric_limits<double>::infinity();
      std::size_t origin = 0;
      if (i > 0) {
        transition t{chords[i - 1], chords[i]};
        for (std::size_t k = 0; k < positions[i - 1].size(); ++k) {
          // What is already dearer without the step cannot win.
          if (best[i - 1][k] >= least) continue;
          auto cost = best[i - 1][k] + t.cost(positions[i - 1][k], p);
          if (cost < least) {
            least = cost;
            origin = k;
          }
        }
      }
      auto own = p.cost;
      if (i + 1 == chords.size() && options.last_soprano &&
          p.pitches[soprano_voice].name() != *options.last_soprano)
        own += cost_hard;
      best.back().push_back(least + own);
      from.back().push_back(origin);
    }
  }
  std::vector<std::vector<pitch>> result(chords.size());
  if (chords.empty()) return result;
  auto at = static_cast<std::size_t>(std::min_element(best.back().begin(), best.back().end()) -
                                     best.back().begin());
  for (auto i = chords.size(); i-- > 0;) {
    const auto& p = positions[i][at].pitches;
    result[i].assign(p.begin(), p.end());
    at = from[i][at];
  }
  return result;
}

result<std::vector<std::vector<pitch>>> progression(const std::vector<roman_numeral>& numerals,
                                                    const tonality& key,
                                                    const part_writing_options& options) {
  std::vector<chord_to_voice> chords;
  for (const auto& n : numerals) {
    auto chord = chord_to_voice_of(n, key);
    if (!chord) return fail(chord.error());
    chords.push_back(std::move(*chord));
  }
  return write_parts(chords, options);
}

}  // namespace fermata
