#include "midi/performance/tempo_map.hpp"

#include <algorithm>
#include <cmath>

namespace fermata::midi {

namespace {

using nanoseconds = std::chrono::nanoseconds;

/// When `length` behind `start` is over, exact but for the last rounding. A time beyond 290 years
/// stays there.
nanoseconds time_after(nanoseconds start, quarters length, std::int64_t microseconds_per_quarter) {
  __extension__ using wide = __int128;
  constexpr wide latest = INT64_MAX;
  auto n = wide{length.value.numerator()} * microseconds_per_quarter;
  auto d = wide{length.value.denominator()};
  if (n / d > latest / 1000) return nanoseconds{INT64_MAX};
  auto end = wide{start.count()} + (n / d) * 1000 + (2 * (n % d) * 1000 + d) / (2 * d);
  return nanoseconds{static_cast<std::int64_t>(end > latest ? latest : end)};
}

}  // namespace

tempo_map::tempo_map() : tempo_map(std::vector<step>{}) {}

tempo_map::tempo_map(const std::vector<step>& steps) {
  steps_.push_back({});
  for (auto& s : steps)
    if (s.from <= steps_.back().from)
      steps_.back().microseconds_per_quarter = s.microseconds_per_quarter;
    else if (s.microseconds_per_quarter != steps_.back().microseconds_per_quarter)
      steps_.push_back(s);
  // Two steps may have become equal when the later one was replaced at its own time.
  auto same = [](auto& a, auto& b) {
    return a.microseconds_per_quarter == b.microseconds_per_quarter;
  };
  steps_.erase(std::unique(steps_.begin(), steps_.end(), same), steps_.end());
  starts_.push_back(nanoseconds{0});
  for (std::size_t i = 1; i < steps_.size(); ++i)
    starts_.push_back(time_after(starts_.back(), steps_[i].from - steps_[i - 1].from,
                                 steps_[i - 1].microseconds_per_quarter));
}

std::size_t tempo_map::step_at(quarters at) const {
  auto after = std::upper_bound(steps_.begin() + 1, steps_.end(), at,
                                [](quarters q, const step& s) { return q < s.from; });
  return static_cast<std::size_t>(after - steps_.begin()) - 1;
}

nanoseconds tempo_map::time_at(quarters at) const {
  if (at <= quarters{}) return nanoseconds{0};
  auto i = step_at(at);
  return time_after(starts_[i], at - steps_[i].from, steps_[i].microseconds_per_quarter);
}

double tempo_map::quarters_at(nanoseconds time) const {
  if (time <= nanoseconds{0}) return 0;
  auto after = std::upper_bound(starts_.begin() + 1, starts_.end(), time);
  auto i = static_cast<std::size_t>(after - starts_.begin()) - 1;
  return steps_[i].from.value.to_double() +
         static_cast<double>((time - starts_[i]).count()) /
             (static_cast<double>(steps_[i].microseconds_per_quarter) * 1000);
}

std::int64_t tempo_map::microseconds_per_quarter_at(quarters at) const {
  return steps_[step_at(at)].microseconds_per_quarter;
}

}  // namespace fermata::midi
