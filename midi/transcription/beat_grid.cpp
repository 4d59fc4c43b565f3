#include "midi/transcription/beat_grid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace fermata::midi {

namespace {

using seconds_of_grid = std::chrono::duration<double>;

}  // namespace

beat_grid beat_grid::steady(std::chrono::nanoseconds first_downbeat, double quarter_seconds) {
  auto quarter = std::chrono::nanoseconds{std::llround(quarter_seconds * 1e9)};
  return {{first_downbeat, first_downbeat + quarter}, grid_of_quarter};
}

result<beat_grid> beat_grid::of_beats(std::vector<std::chrono::nanoseconds> times,
                                      const counted_metre& metre) {
  using namespace std::chrono_literals;
  if (times.size() < 2)
    return fail({errc::out_of_range, "at least two beats are needed", std::nullopt,
                 "Give the time of every beat."});
  for (std::size_t i = 1; i < times.size(); ++i)
    if (times[i] - times[i - 1] < 10ms)
      return fail({errc::out_of_range,
                   fmt::format("beat {} is not later than the one before it", i + 1), std::nullopt,
                   "Give the times of the beats in order."});
  return beat_grid{std::move(times), metre.beat_length()};
}

std::size_t beat_grid::beat_before(std::chrono::nanoseconds time) const {
  auto after = std::upper_bound(times_.begin() + 1, times_.end() - 1, time);
  return static_cast<std::size_t>(after - times_.begin()) - 1;
}

double beat_grid::seconds_after(std::size_t beat) const {
  return seconds_of_grid(times_[beat + 1] - times_[beat]).count();
}

double beat_grid::position_at(std::chrono::nanoseconds time) const {
  auto beat = beat_before(time);
  auto share = seconds_of_grid(time - times_[beat]).count() / seconds_after(beat);
  return (static_cast<double>(beat) + share) * ticks_apart_;
}

double beat_grid::quarter_seconds_at(std::chrono::nanoseconds time) const {
  return seconds_after(beat_before(time)) * grid_of_quarter / ticks_apart_;
}

}  // namespace fermata::midi
