#include "midi/transcription/clock_follower.hpp"

#include <algorithm>
#include <numbers>

namespace fermata::midi {

namespace {

using namespace std::chrono_literals;
using seconds = std::chrono::duration<double>;

constexpr int pulses_of_quarter = 24;
constexpr double bandwidth = 0.5;  // Hz
constexpr std::size_t pulses_to_start = 12;
/// 1,000 quarter notes a minute.
constexpr double shortest_period = 0.0025;
/// 5 quarter notes a minute: there is no slower clock, so it paused.
constexpr auto longest_period = 500ms;

/// 6/8, 9/8 and 12/8 are counted in dotted quarters.
bool is_compound(const time_change& t) {
  return t.beat_type == 8 && t.beats % 3 == 0 && t.beats > 3;
}

}  // namespace

std::optional<clock_follower::beat> clock_follower::receive(std::span<const std::uint8_t> message,
                                                            time at) {
  constexpr std::uint8_t song_position = 0xF2, pulse = 0xF8, start = 0xFA, go_on = 0xFB,
                         stop = 0xFC;
  if (message.empty()) return std::nullopt;
  switch (message[0]) {
    case start:
      position_ = 0;
      is_running_ = true;
      return std::nullopt;
    case go_on: is_running_ = true; return std::nullopt;
    case stop: is_running_ = false; return std::nullopt;
    case song_position:
      // In sixteenths.
      if (message.size() == 3 && !is_running_)
        position_ = (std::uint64_t{message[1]} | std::uint64_t{message[2]} << 7) * 6;
      return std::nullopt;
    case pulse: break;
    default: return std::nullopt;
  }
  auto when = filtered(at);
  if (!is_running_) return std::nullopt;
  auto compound = is_compound(metre_);
  auto beat_length =
      compound ? pulses_of_quarter * 3 / 2 : pulses_of_quarter * 4 / metre_.beat_type;
  auto beats = static_cast<std::uint64_t>(compound ? metre_.beats / 3 : metre_.beats);
  auto place = position_++;
  if (beat_length == 0 || place % static_cast<std::uint64_t>(beat_length) != 0) return std::nullopt;
  return beat{when, static_cast<int>(place / static_cast<std::uint64_t>(beat_length) % beats) + 1};
}

clock_follower::time clock_follower::filtered(time at) {
  if (pulses_ > 0 && at - last_ > longest_period) pulses_ = 0;
  last_ = at;
  if (pulses_++ == 0) {
    origin_ = at;
    period_.reset();
    first_ = {0};
    return at;
  }
  auto now = seconds{at - origin_}.count();
  if (!period_) {
    first_.push_back(now);
    if (first_.size() == pulses_to_start) start_loop();
    return at;
  }
  auto w = 2 * std::numbers::pi * bandwidth * *period_;
  auto b = std::numbers::sqrt2 * w, c = w * w;
  auto error = now - expected_;
  auto before = expected_;
  expected_ += b * error + *period_;
  *period_ = std::max(*period_ + c * error, shortest_period);
  return origin_ + std::chrono::duration_cast<time::duration>(seconds{before + b * error});
}

/// From the line through the first pulses (least squares), since two of them may come at once.
void clock_follower::start_loop() {
  auto n = static_cast<double>(first_.size());
  double mean = 0, slope = 0, spread = 0;
  for (auto t : first_)
    mean += t / n;
  for (std::size_t i = 0; i < first_.size(); ++i) {
    auto x = static_cast<double>(i) - (n - 1) / 2;
    slope += x * (first_[i] - mean);
    spread += x * x;
  }
  period_ = std::max(slope / spread, shortest_period);
  expected_ = mean + *period_ * (n + 1) / 2;
  first_.clear();
}

std::optional<double> clock_follower::tempo() const {
  if (!period_) return std::nullopt;
  return 60 / (pulses_of_quarter * *period_);
}

}  // namespace fermata::midi
