#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <vector>

namespace fermata {

/// The tempo at which a key is tapped: of the median of the last eight gaps between taps. A pause
/// of more than two seconds begins anew. A gap that is about twice the median is a missed tap and
/// counts as two; one of about half of it is a double tap, which does not count, and neither does
/// a tap within a tenth of a second of the one before.
class tap_tempo {
public:
  using time = std::chrono::steady_clock::time_point;

  void tap(time at);
  /// Taps since the last pause.
  std::size_t taps() const { return taps_; }
  /// Beats a minute; empty before the second tap.
  std::optional<double> tempo() const;

private:
  double median() const;

  std::size_t taps_ = 0;
  time last_;
  std::vector<double> gaps_;  ///< in seconds, the oldest first
};

}  // namespace fermata
