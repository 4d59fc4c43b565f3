#include "midi/transcription/tempo_filter.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace fermata::midi {

namespace {

constexpr double outlier = .0093;  ///< probability of any time at all
/// To a metronome, after a note far from the beat, the next ones may be as far from it.
constexpr double late_deviation = .01;
constexpr double shortest_quarter = .12, longest_quarter = 3;

}  // namespace

double fast_log(double x) {
  int exponent = 0;
  auto m = std::frexp(x, &exponent);
  auto y = (m - 1) / (m + 1), y2 = y * y;
  auto series =
      1 + y2 * (1. / 3 + y2 * (.2 + y2 * (1. / 7 + y2 * (1. / 9 + y2 * (1. / 11 + y2 / 13)))));
  return exponent * std::numbers::ln2 + 2 * y * series;
}

void tempo_filter::advance(double quarters, double delay, const beat_timing& timing) {
  auto q = timing.tempo_deviation * timing.tempo_deviation * quarter * quarter;
  time_variance += 2 * quarters * covariance + quarters * quarters * quarter_variance +
                   timing.time_deviation * timing.time_deviation * quarters +
                   q * quarters * quarters * quarters / 3 + delay * delay;
  covariance += quarters * quarter_variance + q * quarters * quarters / 2;
  quarter_variance += q * quarters;
  time += quarter * quarters;
}

std::optional<double> tempo_filter::observe(double played, const beat_timing& timing) {
  constexpr double surprising = 9, impossible = 25;  // squared standard deviations
  auto noise = timing.onset_deviation * timing.onset_deviation;
  auto variance = time_variance + noise;
  auto error = played - time;
  auto z = error * error / variance;
  if (z > impossible && !timing.is_metronome) return std::nullopt;
  auto likelihood = -.5 * z - .5 * fast_log(2 * std::numbers::pi * variance);
  if (z > surprising) {
    likelihood = std::max(likelihood, std::log(outlier) - fast_log(quarter) - .05 * z);
    if (timing.is_metronome)
      time_variance += late_deviation * late_deviation;
    else
      restart(played, timing);  // a breath or a fermata
  } else {
    auto gain_of_time = time_variance / variance, gain_of_tempo = covariance / variance;
    time += gain_of_time * error;
    quarter += gain_of_tempo * error;
    quarter_variance -= gain_of_tempo * covariance;
    time_variance *= 1 - gain_of_time;
    covariance *= 1 - gain_of_time;
  }
  if (!timing.is_metronome && (quarter < shortest_quarter || quarter > longest_quarter))
    return std::nullopt;
  return likelihood;
}

void tempo_filter::restart(double now, const beat_timing& timing) {
  time = now;
  time_variance = timing.onset_deviation * timing.onset_deviation;
  covariance = 0;
}

}  // namespace fermata::midi
