#include "core/session/commands/tap_tempo.hpp"

#include <algorithm>

namespace fermata {

void tap_tempo::tap(time at) {
  constexpr std::chrono::seconds pause{2};
  constexpr double shortest_gap = 0.1;  // 600 beats a minute: a key that bounces
  constexpr std::size_t most_gaps = 8;
  /// How far from twice or half of the median a gap may be, relatively.
  constexpr double tolerance = 0.2;
  if (taps_ > 0 && at - last_ > pause) *this = {};
  if (taps_ == 0) {
    taps_ = 1;
    last_ = at;
    return;
  }
  auto gap = std::chrono::duration<double>(at - last_).count();
  if (gap < shortest_gap) return;
  if (gaps_.size() >= 2) {
    auto ratio = gap / median();
    if (ratio > 0.5 - tolerance / 2 && ratio < 0.5 + tolerance / 2) return;  // `last_` stays
    if (ratio > 2 - 2 * tolerance && ratio < 2 + 2 * tolerance) gap /= 2;
  }
  ++taps_;
  last_ = at;
  gaps_.push_back(gap);
  if (gaps_.size() > most_gaps) gaps_.erase(gaps_.begin());
}

double tap_tempo::median() const {
  auto sorted = gaps_;
  std::sort(sorted.begin(), sorted.end());
  auto middle = sorted.size() / 2;
  return sorted.size() % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

std::optional<double> tap_tempo::tempo() const {
  if (gaps_.empty()) return std::nullopt;
  return 60 / median();
}

}  // namespace fermata
