#include "midi/transcription/rhythm_tracker.hpp"

#include "midi/transcription/onset_accents.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>
#include <span>
#include <utility>

namespace fermata::midi {

namespace {

// Times in seconds, lengths in quarters. The values were found on OpenScore songs with artificial
// timing and on performances of ASAP; the recognition changes little when one is varied by a third.
constexpr double onset_deviation = .029;  ///< of a note from its beat, for motor reasons
constexpr double tempo_deviation = .056;  ///< relative, in the time of a quarter
constexpr double time_deviation = .022;   ///< of the beat, in the time of a quarter
constexpr double beat_delay = .034;       ///< of a beat, as a share of a quarter
constexpr double measure_delay = .041;    ///< of a downbeat, which players wait for
constexpr double same_chord = .4355;      ///< probability that a note begins with the last one
constexpr double ornament = -5;           ///< log-probability of a note beside the rhythm
constexpr double usual_quarter = .63, usual_quarter_of_compound = .56;  ///< its median
constexpr double usual_deviation = .58;                                 ///< of the logarithm
constexpr double rubato = 4.6;         ///< cost of tempos away from their average, in a quarter
constexpr double unusual_tempo = .6;   ///< cost of tempos away from the usual one, at each onset
constexpr double averaging_time = 59;  ///< quarters that the average of tempos extends over
constexpr double triplet_cost = .5;    ///< of each onset on a triplet: even notes are rather none
constexpr double compound_cost = .15;  ///< of each onset in a compound metre
constexpr double outlier = .0093;      ///< probability of any time at all
constexpr double shortest_quarter = .12, longest_quarter = 3;
constexpr int initial_tempos = 48;
/// Log-likelihoods so much worse than the best are given up.
constexpr double hopeless = 18;

/// Fewer notes at a time, on average, are a melody.
constexpr double notes_of_single_line = 1.1;

/// In ticks: a longer one is a mistake, or two takes.
constexpr double longest_rest = 100'000;

/// The metres that are followed to the end are chosen by so many notes.
constexpr std::size_t notes_for_choice = 400;

constexpr int no_parent = -1;

/// Natural logarithm, exact to 1e-6: most of the work is logarithms.
double fast_log(double x) {
  int exponent = 0;
  auto m = std::frexp(x, &exponent);
  auto y = (m - 1) / (m + 1), y2 = y * y;
  auto series =
      1 + y2 * (1. / 3 + y2 * (.2 + y2 * (1. / 7 + y2 * (1. / 9 + y2 * (1. / 11 + y2 / 13)))));
  return exponent * std::numbers::ln2 + 2 * y * series;
}

/// A Kalman filter for the time of the last onset and the length of a quarter.
struct tempo_filter {
  double time = 0, quarter = .5;
  double time_variance = 0, covariance = 0, quarter_variance = 0;
  double average = 0;  ///< of the logarithm of `quarter`

  void advance(double quarters, double delay) {
    auto q = tempo_deviation * tempo_deviation * quarter * quarter;
    time_variance += 2 * quarters * covariance + quarters * quarters * quarter_variance +
                     time_deviation * time_deviation * quarters +
                     q * quarters * quarters * quarters / 3 + delay * delay;
    covariance += quarters * quarter_variance + q * quarters * quarters / 2;
    quarter_variance += q * quarters;
    time += quarter * quarters;
  }
};

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
  metre_tracker(const std::vector<performed_note>& notes, const std::vector<onset_accent>& accents,
                const counted_metre& metre, const rhythm_model& model, const tracker_options& o)
    : notes_(notes),
      accents_(accents),
      metre_(metre),
      model_(model),
      options_(o),
      best_of_class_(
          static_cast<std::size_t>(metre.measure_length() * contexts * tempo_classes * 2), none) {}

  /// The first notes only, if there are more than `most`. Nothing when it was cancelled.
  std::optional<tracked_rhythm> track(std::size_t most) {
    count_ = std::min(most, notes_.size());
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

  double seconds(std::size_t i) const {
    return std::chrono::duration<double>(notes_[i].on).count();
  }
  double evidence(std::size_t i, int position, int beat) const {
    auto level = static_cast<std::size_t>(level_of(position, beat, metre_));
    return static_cast<double>(accents_[i].evidence[level]);
  }

  void begin() {
    // Music begins on strong positions, and on any other only as a pickup.
    constexpr double on_downbeat = -.69, on_beat = -1.39, on_eighth = -2.3, elsewhere = -3.9;
    for (int k = 0; k < initial_tempos; ++k) {
      auto quarter = shortest_initial_ *
                     std::pow(longest_initial_ / shortest_initial_, k / (initial_tempos - 1.));
      auto unusual = (std::log(quarter) - std::log(usual())) / deviation();
      for (int beat = 0; beat < metre_.beats; ++beat)
        for (int position = 0; position < metre_.beat_length(); ++position) {
          if (!model_.has_position(position)) continue;
          auto level = level_of(position, beat, metre_);
          hypothesis h;
          h.tempo = {seconds(0),
                     quarter,
                     onset_deviation * onset_deviation,
                     0,
                     .06 * .06 * quarter * quarter,
                     std::log(quarter)};
          h.position = position;
          h.beat = beat;
          h.ticks = beat * metre_.beat_length() + position;
          h.score = -.5 * unusual * unusual + evidence(0, position, beat);
          h.score += level == metric_level::downbeat       ? on_downbeat
                     : level == metric_level::half_measure ? on_beat
                     : level == metric_level::beat         ? on_eighth
                                                           : elsewhere;
          keep(h);
          current_.push_back(h);
        }
    }
  }

  /// The tempo that is expected, and how far it may be from it.
  double usual() const {
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
      auto tolerance = [&](double ticks) { return 6 + .35 * std::max(ticks, expected); };
      for (auto& s : model_.steps(h.context, h.position))
        if (std::abs(s.advance - expected) <= tolerance(s.advance))
          step(h, i, s.advance, s.next, other_chord_ + static_cast<double>(s.log_probability));
      follow_long_rest(h, i, expected);
      if (!may_be_ornament(i)) continue;
      auto ornament_of_next = h;
      ornament_of_next.is_ornament = true;
      ornament_of_next.score += ornament;
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
      h.tempo.time = seconds(i);
      h.tempo.time_variance = onset_deviation * onset_deviation;
      h.tempo.covariance = 0;
      add(h);
    }
  }

  /// Whether a note may be played beside the rhythm: the note that it belongs to follows at once.
  bool may_be_ornament(std::size_t i) const {
    constexpr double longest = .3;
    return i + 1 < notes_.size() && seconds(i + 1) - seconds(i) < longest;
  }

  /// After a long rest any beat may come, of those near the expected time.
  void follow_long_rest(const hypothesis& h, std::size_t i, double expected) {
    constexpr int shortest = 50, beats_around = 20;
    constexpr double cost_of_beat = .02, most_cost = 1;
    if (expected <= 60) return;
    auto beat = metre_.beat_length();
    auto first = beat - h.position;
    auto nearest = static_cast<int>(std::min(expected, longest_rest) - first) / beat;
    for (int b = std::max(0, nearest - beats_around); b <= nearest + beats_around; ++b) {
      auto advance = first + b * beat;
      if (advance < shortest || std::abs(advance - expected) > 6 + .35 * expected) continue;
      auto cost = std::min(most_cost, cost_of_beat * advance / beat);
      step(h, i, advance, h.context, other_chord_ + std::log(.01) - cost);
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
      delay = (beats >= metre_.beats ? measure_delay : beat_delay) * from.tempo.quarter;
    auto quarters = static_cast<double>(advance) / grid_of_quarter;
    if (advance > 0) h.tempo.advance(quarters, delay);
    if (!observe(h, seconds(i))) return;
    h.score += log_probability;
    if (advance > 0) {
      h.score -= tempo_cost(h, quarters);
      if (metre_.is_compound)
        h.score -= compound_cost;
      else if (h.position % 2 == 0 && h.position % 6 != 0)
        h.score -= triplet_cost;
      if (accents_[i].begins_chord) h.score += evidence(i, h.position, h.beat);
    }
    if (h.score < best_score_ - hopeless) return;
    best_score_ = std::max(best_score_, h.score);
    add(h);
  }

  /// Adds the likelihood of the time at which a note was played, and learns from it. False: it
  /// cannot be.
  static bool observe(hypothesis& h, double time) {
    constexpr double surprising = 9, impossible = 25;  // squared standard deviations
    auto& t = h.tempo;
    constexpr auto noise = onset_deviation * onset_deviation;
    auto variance = t.time_variance + noise;
    auto error = time - t.time;
    auto z = error * error / variance;
    if (z > impossible) return false;
    auto likelihood = -.5 * z - .5 * fast_log(2 * std::numbers::pi * variance);
    if (z > surprising) {
      // A breath or a fermata: time goes on from here at the same tempo.
      likelihood = std::max(likelihood, std::log(outlier) - fast_log(t.quarter) - .05 * z);
      t.time = time;
      t.time_variance = noise;
      t.covariance = 0;
    } else {
      auto gain_of_time = t.time_variance / variance, gain_of_tempo = t.covariance / variance;
      t.time += gain_of_time * error;
      t.quarter += gain_of_tempo * error;
      t.quarter_variance -= gain_of_tempo * t.covariance;
      t.time_variance *= 1 - gain_of_time;
      t.covariance *= 1 - gain_of_time;
    }
    if (t.quarter < shortest_quarter || t.quarter > longest_quarter) return false;
    h.score += likelihood;
    return true;
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
    auto place = h.beat * metre_.beat_length() + h.position;
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

  const std::vector<performed_note>& notes_;
  const std::vector<onset_accent>& accents_;
  const counted_metre metre_;
  const rhythm_model& model_;
  const tracker_options& options_;
  const double same_chord_ = std::log(same_chord), other_chord_ = std::log(1 - same_chord);
  const double log_usual_ = std::log(usual());
  const double shortest_initial_ = options_.quarter_seconds ? usual() * .9 : .15;
  const double longest_initial_ = options_.quarter_seconds ? usual() * 1.1 : 2;
  std::size_t count_ = 0;
  std::vector<hypothesis> current_, next_;
  std::vector<node> nodes_;
  std::vector<int> best_of_class_;  ///< indices into `next_`
  std::vector<int> used_classes_;
  double best_score_ = 0;
};

}  // namespace

std::vector<tracked_rhythm> track_rhythm(const std::vector<performed_note>& notes,
                                         const tracker_options& options) {
  if (notes.empty()) return {};
  auto accents = onset_accents(notes);
  auto chords =
      std::count_if(accents.begin(), accents.end(), [](auto& a) { return a.begins_chord; });
  auto is_single_line =
      static_cast<double>(notes.size()) < notes_of_single_line * static_cast<double>(chords);
  auto texture = is_single_line ? rhythm_model::texture::single_line : rhythm_model::texture::full;
  std::optional<rhythm_model> models[2];
  /// The readings in some metres, best first; empty if it was cancelled.
  auto readings_in = [&](std::span<const counted_metre> metres, std::size_t most) {
    std::vector<tracked_rhythm> readings;
    for (auto& metre : metres) {
      auto& model = models[metre.is_compound];
      if (!model) model.emplace(metre.is_compound, texture, options.rhythm);
      auto reading = metre_tracker{notes, accents, metre, *model, options}.track(most);
      if (!reading) return std::vector<tracked_rhythm>{};
      readings.push_back(std::move(*reading));
    }
    std::stable_sort(readings.begin(), readings.end(),
                     [](auto& a, auto& b) { return a.score > b.score; });
    return readings;
  };
  if (options.metre) return readings_in(std::span{&*options.metre, 1}, notes.size());
  if (options.readings >= counted_metres.size() || notes.size() <= notes_for_choice)
    return readings_in(counted_metres, notes.size());
  std::vector<counted_metre> likely;
  for (auto& r : readings_in(counted_metres, notes_for_choice))
    if (likely.size() < options.readings) likely.push_back(r.metre);
  return readings_in(likely, notes.size());
}

}  // namespace fermata::midi
