#include "midi/transcription/metre_tracker.hpp"

#include "midi/transcription/swung_beat.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace fermata::midi {

namespace {

// Times in seconds, lengths in quarters. The values were found on OpenScore songs with artificial
// timing and on performances of ASAP; the recognition changes little when one is varied by a third.
constexpr double same_chord = .4355;  ///< probability that a note begins with the last one
constexpr double ornament = -5;       ///< log-probability of a note beside the rhythm
constexpr double grace_note = 1.5;    ///< the same, if it is played like a grace note
constexpr double usual_quarter = .63, usual_quarter_of_compound = .56;  ///< its median
constexpr double usual_deviation = .58;                                 ///< of the logarithm
constexpr double rubato = 4.6;         ///< cost of tempos away from their average, in a quarter
constexpr double unusual_tempo = .6;   ///< cost of tempos away from the usual one, at each onset
constexpr double averaging_time = 59;  ///< quarters that the average of tempos extends over
constexpr double tuplet_cost = .5;     ///< of each onset in a tuplet: even notes are rather none
constexpr double compound_cost = .15;  ///< of each onset in a compound metre
constexpr double swing_cost = .5;      ///< of each swung onset
constexpr int initial_tempos = 48;
/// Log-likelihoods so much worse than the best are given up.
constexpr double hopeless = 18;

/// In ticks: a longer one is a mistake, or two takes.
constexpr double longest_rest = 4'000. * grid_of_quarter;

constexpr int no_parent = -1;

struct hypothesis {
  tempo_filter tempo;
  int position = 0;  ///< ticks from the beginning of the beat
  int beat = 0;
  rhythm_model::context context = rhythm_model::start;
  double score = 0;
  int node = no_parent;
  std::int64_t ticks = 0;  ///< from the first barline
  bool is_ornament = false;
};

/// What a hypothesis decided for one note.
struct node {
  int parent = no_parent;
  std::int64_t ticks = 0;
  float quarter = 0;
  bool is_ornament = false;
};

class metre_tracker {
public:
  metre_tracker(const tracked_notes& notes, const metre_reading& how, const rhythm_model& model,
                const beat_timing& timing, const tracker_options& o)
    : onsets_(notes.onsets),
      accents_(notes.accents),
      is_like_grace_(notes.is_like_grace),
      metre_(how.metre),
      is_swung_(how.is_swung),
      model_(model),
      options_(o),
      timing_(timing),
      best_of_class_(
          static_cast<std::size_t>(metre_.beats * places_of_beat() * contexts * tempo_classes * 2),
          none) {}

  std::optional<tracked_rhythm> track(std::size_t most) {
    count_ = std::min(most, onsets_.seconds.size());
    if (onsets_.metronome_quarter)
      begin_on_grid(*onsets_.metronome_quarter);
    else
      begin();
    for (std::size_t i = 1; i < count_; ++i) {
      if (i % 256 == 0 && options_.is_cancelled && options_.is_cancelled()) return std::nullopt;
      follow(i);
    }
    return best();
  }

private:
  static constexpr int contexts = rhythm_model::divisions * rhythm_model::advances;
  static constexpr int tempo_classes = 64;
  static constexpr double tempo_class_width = .06;  ///< of the logarithm
  static constexpr int none = -1;

  /// Numbers the positions of a beat where onsets may be; how many there are.
  int places_of_beat() {
    int count = 0;
    place_of_position_.assign(static_cast<std::size_t>(metre_.beat_length()), none);
    for (int position = 0; position < metre_.beat_length(); ++position)
      if (model_.has_position(position))
        place_of_position_[static_cast<std::size_t>(position)] = count++;
    return places_ = count;
  }

  /// How long after a position of the beat another one is played, in ticks.
  int played_advance(int position, int advance) const {
    if (!is_swung_) return advance;
    return static_cast<int>(swung_position(position + advance) - swung_position(position));
  }

  double seconds(std::size_t i) const { return onsets_.seconds[i]; }
  double evidence(std::size_t i, int position, int beat) const {
    auto level = static_cast<std::size_t>(level_of(position, beat, metre_));
    return static_cast<double>(accents_[i].evidence[level]);
  }

  /// Music begins on strong positions, and on any other only as a pickup.
  static double cost_of_beginning(metric_level level) {
    switch (level) {
      case metric_level::downbeat: return .69;
      case metric_level::half_measure: return 1.39;
      case metric_level::beat: return 2.3;
      default: return 3.9;
    }
  }

  void begin() {
    for (int k = 0; k < initial_tempos; ++k) {
      auto quarter = shortest_initial_ *
                     std::pow(longest_initial_ / shortest_initial_, k / (initial_tempos - 1.));
      auto unusual = (std::log(quarter) - std::log(usual())) / deviation();
      for (int beat = 0; beat < metre_.beats; ++beat)
        for (int position = 0; position < metre_.beat_length(); ++position) {
          if (!model_.has_position(position)) continue;
          auto level = level_of(position, beat, metre_);
          hypothesis h;
          h.tempo = {0, quarter, 0, 0, .06 * .06 * quarter * quarter, std::log(quarter)};
          h.tempo.restart(seconds(0), timing_);
          h.position = position;
          h.beat = beat;
          h.ticks = beat * metre_.beat_length() + position;
          h.score =
              -.5 * unusual * unusual + evidence(0, position, beat) - cost_of_beginning(level);
          keep(h);
          current_.push_back(h);
        }
    }
  }

  /// On the positions of a known grid around the first note.
  void begin_on_grid(double quarter) {
    constexpr double latency_deviation = .02;  ///< of the player and the instrument, in seconds
    auto expected = std::int64_t{std::llround(seconds(0) / quarter * grid_of_quarter)};
    for (auto ticks = expected - grid_of_quarter; ticks <= expected + grid_of_quarter; ++ticks) {
      hypothesis h;
      go_to(h, ticks);
      if (!model_.has_position(h.position)) continue;
      auto played = is_swung_ ? swung_position(ticks) : ticks;
      h.tempo = {quarter * static_cast<double>(played) / grid_of_quarter,
                 quarter,
                 latency_deviation * latency_deviation,
                 0,
                 0,
                 std::log(quarter)};
      h.score = evidence(0, h.position, h.beat) -
                cost_of_beginning(level_of(h.position, h.beat, metre_)) +
                h.tempo.observe(seconds(0), timing_).value_or(0);
      keep(h);
      current_.push_back(h);
    }
  }

  /// To a position in ticks from the first barline, which may be negative.
  void go_to(hypothesis& h, std::int64_t ticks) const {
    auto length = metre_.measure_length();
    auto in_measure = static_cast<int>((ticks % length + length) % length);
    h.ticks = ticks;
    h.beat = in_measure / metre_.beat_length();
    h.position = in_measure % metre_.beat_length();
  }

  /// The tempo that is expected, and how far it may be from it.
  double usual() const {
    if (onsets_.metronome_quarter) return *onsets_.metronome_quarter;
    return options_.quarter_seconds.value_or(metre_.is_compound ? usual_quarter_of_compound
                                                                : usual_quarter);
  }
  double deviation() const { return options_.quarter_seconds ? .05 : usual_deviation; }

  /// Records what it decided for its last note.
  void keep(hypothesis& h) {
    nodes_.push_back({h.node, h.ticks, static_cast<float>(h.tempo.quarter), h.is_ornament});
    h.node = static_cast<int>(nodes_.size()) - 1;
  }

  void follow(std::size_t i) {
    next_.clear();
    for (auto c : used_classes_)
      best_of_class_[static_cast<std::size_t>(c)] = none;
    used_classes_.clear();
    best_score_ = -std::numeric_limits<double>::infinity();
    for (auto& h : current_) {
      step(h, i, 0, h.context, same_chord_);
      auto expected = (seconds(i) - h.tempo.time) / h.tempo.quarter * grid_of_quarter;
      auto tolerance = [&](double ticks) {
        return grid_of_sixteenth + .35 * std::max(ticks, expected);
      };
      for (auto& s : model_.steps(h.context, h.position))
        if (auto played = played_advance(h.position, s.advance);
            std::abs(played - expected) <= tolerance(played))
          step(h, i, s.advance, s.next, other_chord_ + static_cast<double>(s.log_probability));
      if (timing_.is_metronome)
        follow_rest_on_grid(h, i, expected);
      else
        follow_long_rest(h, i, expected);
      if (!may_be_ornament(i)) continue;
      auto ornament_of_next = h;
      ornament_of_next.is_ornament = true;
      ornament_of_next.score += is_like_grace_[i] ? grace_note : ornament;
      add(ornament_of_next);
    }
    if (next_.empty()) begin_again(i);
    prune(i);
  }

  /// No hypothesis explains the time of this note, as after hours of silence: in each it is a beat,
  /// from which time goes on at the same tempo.
  void begin_again(std::size_t i) {
    auto beat = metre_.beat_length();
    for (auto h : current_) {
      auto expected = (seconds(i) - h.tempo.time) / h.tempo.quarter * grid_of_quarter;
      auto first = beat - h.position;
      auto further = std::max(0, static_cast<int>(std::min(expected, longest_rest) - first) / beat);
      h.ticks += first + further * beat;
      h.position = 0;
      h.beat = (h.beat + 1 + further) % metre_.beats;
      h.is_ornament = false;
      h.tempo.restart(seconds(i), timing_);
      add(h);
    }
  }

  /// Whether a note may be played beside the rhythm: the note that it belongs to follows at once.
  bool may_be_ornament(std::size_t i) const {
    constexpr double longest = .3;
    return i + 1 < onsets_.seconds.size() && seconds(i + 1) - seconds(i) < longest;
  }

  /// After a long rest any beat may come, of those near the expected time.
  void follow_long_rest(const hypothesis& h, std::size_t i, double expected) {
    constexpr int shortest = 2 * grid_of_quarter, beats_around = 20;
    constexpr double cost_of_beat = .02, most_cost = 1;
    if (expected <= 2.5 * grid_of_quarter) return;
    auto beat = metre_.beat_length();
    auto first = beat - h.position;
    auto nearest = static_cast<int>(std::min(expected, longest_rest) - first) / beat;
    for (int b = std::max(0, nearest - beats_around); b <= nearest + beats_around; ++b) {
      auto advance = first + b * beat;
      if (advance < shortest || std::abs(advance - expected) > grid_of_sixteenth + .35 * expected)
        continue;
      auto cost = std::min(most_cost, cost_of_beat * advance / beat);
      step(h, i, advance, h.context, other_chord_ + std::log(.01) - cost);
    }
  }

  /// To a metronome, after a rest, any position may come that is near the expected time.
  void follow_rest_on_grid(const hypothesis& h, std::size_t i, double expected) {
    constexpr int shortest = grid_of_quarter + grid_of_sixteenth;
    constexpr double rare = -4.6;
    constexpr double longest = 1e8;  // more than any score may last
    auto nearest = static_cast<int>(std::lround(std::min(expected, longest)));
    for (auto advance = std::max(shortest, nearest - grid_of_quarter / 2);
         advance <= nearest + grid_of_quarter / 2; ++advance) {
      auto after = h;
      go_to(after, h.ticks + advance);
      if (!model_.has_position(after.position)) continue;
      auto level = level_of(after.position, after.beat, metre_);
      step(h, i, advance, h.context, other_chord_ + rare - cost_of_beginning(level));
    }
  }

  /// The hypothesis that this note comes so many ticks after the last one.
  void step(const hypothesis& from, std::size_t i, int advance, rhythm_model::context context,
            double log_probability) {
    if (from.score + log_probability < best_score_ - hopeless - 4) return;
    auto h = from;
    h.is_ornament = false;
    h.context = context;
    h.ticks += advance;
    auto position = from.position + advance;
    auto beats = from.beat + position / metre_.beat_length();
    h.position = position % metre_.beat_length();
    h.beat = beats % metre_.beats;
    double delay = 0;
    if (position >= metre_.beat_length())
      delay =
          (beats >= metre_.beats ? timing_.measure_delay : timing_.beat_delay) * from.tempo.quarter;
    auto quarters = static_cast<double>(played_advance(from.position, advance)) / grid_of_quarter;
    if (advance > 0) h.tempo.advance(quarters, delay, timing_);
    auto likelihood = h.tempo.observe(seconds(i), timing_);
    if (!likelihood) return;
    h.score += *likelihood + log_probability;
    if (advance > 0) {
      h.score -= tempo_cost(h, quarters);
      if (metre_.is_compound)
        h.score -= compound_cost;
      else if (is_tuplet_position(h.position))
        h.score -= tuplet_cost;
      else if (is_swung_ && h.position != 0)
        h.score -= swing_cost;
      if (accents_[i].begins_chord) h.score += evidence(i, h.position, h.beat);
    }
    if (h.score < best_score_ - hopeless) return;
    best_score_ = std::max(best_score_, h.score);
    add(h);
  }

  double tempo_cost(hypothesis& h, double quarters) const {
    auto now = fast_log(h.tempo.quarter);
    auto& average = h.tempo.average;
    average += (1 - std::exp(-quarters / averaging_time)) * (now - average);
    auto length = std::min(quarters, 4.);
    auto unusual = now - log_usual_;
    auto strictness = unusual_tempo * (options_.quarter_seconds ? 20 : 1);
    return length * rubato * (now - average) * (now - average) + strictness * unusual * unusual;
  }

  /// Of hypotheses in the same place with nearly the same tempo only the best is kept.
  void add(const hypothesis& h) {
    auto tempo = static_cast<int>(std::lrint(fast_log(h.tempo.quarter) / tempo_class_width));
    auto tempo_class = std::clamp(tempo + tempo_classes / 2, 0, tempo_classes - 1);
    auto place = h.beat * places_ + place_of_position_[static_cast<std::size_t>(h.position)];
    auto c = ((place * contexts + h.context) * tempo_classes + tempo_class) * 2 + h.is_ornament;
    auto& best = best_of_class_[static_cast<std::size_t>(c)];
    if (best == none) {
      best = static_cast<int>(next_.size());
      used_classes_.push_back(c);
      next_.push_back(h);
    } else if (auto& other = next_[static_cast<std::size_t>(best)]; other.score < h.score) {
      other = h;
    }
  }

  void prune(std::size_t i) {
    // At the beginning nothing is known of the tempo.
    constexpr std::size_t first_notes = 12;
    auto most = options_.hypotheses * (i < first_notes ? 6 : 1);
    if (next_.size() > most) {
      std::nth_element(next_.begin(), next_.begin() + static_cast<std::ptrdiff_t>(most),
                       next_.end(), [](auto& a, auto& b) { return a.score > b.score; });
      next_.resize(most);
    }
    for (auto& h : next_)
      best_score_ = std::max(best_score_, h.score);
    current_.clear();
    for (auto& h : next_) {
      if (h.score < best_score_ - hopeless) continue;
      keep(h);
      current_.push_back(h);
    }
  }

  tracked_rhythm best() const {
    auto found = std::max_element(current_.begin(), current_.end(),
                                  [](auto& a, auto& b) { return a.score < b.score; });
    tracked_rhythm r;
    r.metre = metre_;
    r.is_swung = is_swung_;
    r.score = found->score;
    r.positions.resize(count_);
    r.is_ornament.resize(count_);
    r.quarter_seconds.resize(count_);
    auto at = found->node;
    for (auto i = count_; i-- > 0;) {
      auto& n = nodes_[static_cast<std::size_t>(at)];
      r.positions[i] = n.ticks;
      r.is_ornament[i] = n.is_ornament;
      r.quarter_seconds[i] = n.quarter;
      at = n.parent;
    }
    return r;
  }

  const onset_times& onsets_;
  const std::vector<onset_accent>& accents_;
  const std::vector<bool>& is_like_grace_;
  const counted_metre metre_;
  const bool is_swung_;
  const rhythm_model& model_;
  const tracker_options& options_;
  const beat_timing timing_;
  const double same_chord_ = std::log(same_chord), other_chord_ = std::log(1 - same_chord);
  const double log_usual_ = std::log(usual());
  const double shortest_initial_ = options_.quarter_seconds ? usual() * .9 : .15;
  const double longest_initial_ = options_.quarter_seconds ? usual() * 1.1 : 2;
  std::size_t count_ = 0;
  std::vector<int> place_of_position_;
  int places_ = 0;
  std::vector<hypothesis> current_, next_;
  std::vector<node> nodes_;
  std::vector<int> best_of_class_;  ///< indices into `next_`
  std::vector<int> used_classes_;
  double best_score_ = 0;
};

}  // namespace

std::optional<tracked_rhythm> track_in_metre(const tracked_notes& notes, const metre_reading& how,
                                             const rhythm_model& model, const beat_timing& timing,
                                             const tracker_options& options, std::size_t most) {
  return metre_tracker{notes, how, model, timing, options}.track(most);
}

}  // namespace fermata::midi
