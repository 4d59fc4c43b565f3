#pragma once

#include <optional>

namespace fermata::midi {

/// How evenly time passes in a performance.
struct beat_timing {
  double onset_deviation = .029;  ///< of a note from its beat, in seconds, for motor reasons
  double tempo_deviation = .056;  ///< relative, in the time of a quarter
  double time_deviation = .022;   ///< of the beat, in seconds, in the time of a quarter
  double beat_delay = .034;       ///< of a beat, as a share of a quarter
  double measure_delay = .041;    ///< of a downbeat, which players wait for
  /// The beat never waits for the player: what is far from it says little about the others.
  bool is_metronome = false;
};

/// Values found on OpenScore songs with artificial timing and on performances of ASAP; the
/// recognition changes little when one is varied by a third.
constexpr beat_timing free_timing{};
/// To a metronome, where only the player's distance from the click changes, and slowly.
constexpr beat_timing metronome_timing{.029, 0, .003, 0, 0, true};

/// A Kalman filter for the time of the last onset and the length of a quarter, in seconds.
struct tempo_filter {
  double time = 0, quarter = .5;
  double time_variance = 0, covariance = 0, quarter_variance = 0;
  double average = 0;  ///< of the logarithm of `quarter`

  /// To an onset so many quarters later; `delay` in seconds is what players may wait.
  void advance(double quarters, double delay, const beat_timing& timing);
  /// Learns from the time at which a note was played; its log-likelihood. Nothing: it cannot be.
  std::optional<double> observe(double played, const beat_timing& timing);
  /// The beat goes on from here at the same tempo.
  void restart(double now, const beat_timing& timing);
};

/// Natural logarithm, exact to 1e-6: most of the work of the tracker is logarithms.
double fast_log(double x);

}  // namespace fermata::midi
