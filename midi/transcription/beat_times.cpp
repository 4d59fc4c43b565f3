#include "midi/transcription/beat_times.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <map>

namespace fermata::midi {

beat_times::beat_times(const std::vector<performed_note>& notes, const tracked_rhythm& rhythm)
  : first_quarter_(static_cast<double>(rhythm.quarter_seconds.front())),
    last_quarter_(static_cast<double>(rhythm.quarter_seconds.back())) {
  struct sum {
    double time = 0;
    int count = 0;
  };
  std::map<std::int64_t, sum> sums;
  for (std::size_t i = 0; i < notes.size(); ++i) {
    if (rhythm.is_ornament[i]) continue;
    auto& s = sums[rhythm.positions[i]];
    s.time += std::chrono::duration<double>(notes[i].on).count();
    ++s.count;
  }
  for (auto& [position, s] : sums) {
    auto time = s.time / s.count;
    // The notes of two chords may overlap.
    if (points_.empty() || time > points_.back().time + 1e-4)
      points_.push_back({time, static_cast<double>(position)});
  }
}

double beat_times::position_at(std::chrono::nanoseconds t) const {
  auto time = std::chrono::duration<double>(t).count();
  if (points_.empty()) return 0;
  auto after = std::lower_bound(points_.begin(), points_.end(), time,
                                [](auto& p, double x) { return p.time < x; });
  if (after == points_.begin())
    return after->position + (time - after->time) / first_quarter_ * grid_of_quarter;
  auto before = std::prev(after);
  if (after == points_.end())
    return before->position + (time - before->time) / last_quarter_ * grid_of_quarter;
  auto share = (time - before->time) / (after->time - before->time);
  return before->position + share * (after->position - before->position);
}

}  // namespace fermata::midi
