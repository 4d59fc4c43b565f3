#include "midi/transcription/pedal_span.hpp"

#include <algorithm>

namespace fermata::midi {

void pedal_spans::move(std::chrono::nanoseconds at, std::uint8_t value) {
  constexpr std::uint8_t down_from = 64;
  auto is_down = value >= down_from;
  if (is_down == down_.has_value()) return;
  if (is_down) {
    down_ = at;
  } else {
    spans_.push_back({*down_, at});
    down_.reset();
  }
}

std::vector<pedal_span> pedal_spans::until(std::chrono::nanoseconds end) const {
  auto all = spans_;
  if (down_) all.push_back({*down_, std::max(*down_, end)});
  return all;
}

std::chrono::nanoseconds sounding_end(std::chrono::nanoseconds off,
                                      const std::vector<pedal_span>& pedal) {
  auto after = std::upper_bound(pedal.begin(), pedal.end(), off,
                                [](auto t, auto& span) { return t < span.down; });
  if (after == pedal.begin()) return off;
  return std::max(off, (after - 1)->up);
}

}  // namespace fermata::midi
