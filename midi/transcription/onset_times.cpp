#include "midi/transcription/onset_times.hpp"

#include "midi/transcription/swung_beat.hpp"
#include "midi/transcription/tempo_filter.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>

namespace fermata::midi {

namespace {

double median_of(std::vector<double>& values) {
  auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace

onset_times::onset_times(const std::vector<performed_note>& notes,
                         const std::optional<beat_grid>& grid) {
  if (!grid) {
    for (auto& n : notes)
      seconds.push_back(std::chrono::duration<double>(n.on).count());
    return;
  }
  std::vector<double> quarters;
  for (auto& n : notes)
    quarters.push_back(grid->quarter_seconds_at(n.on));
  metronome_quarter = median_of(quarters);
  for (auto& n : notes)
    seconds.push_back(grid->position_at(n.on) / grid_of_quarter * *metronome_quarter);
}

double deviation_from_metronome(const onset_times& onsets, const tracked_rhythm& r) {
  constexpr double least = .01;
  constexpr double deviations_of_median = 1.4826;  ///< of a normal distribution
  std::vector<double> late;
  for (std::size_t i = 0; i < r.positions.size(); ++i) {
    auto ticks = r.is_swung ? swung_position(r.positions[i]) : r.positions[i];
    late.push_back(onsets.seconds[i] -
                   *onsets.metronome_quarter * static_cast<double>(ticks) / grid_of_quarter);
  }
  auto usual = median_of(late);
  for (auto& x : late)
    x = std::abs(x - usual);
  return std::clamp(median_of(late) * deviations_of_median, least,
                    metronome_timing.onset_deviation);
}

std::optional<double> share_of_offbeats(const onset_times& onsets, const tracked_rhythm& r) {
  std::map<std::int64_t, double> first_at;
  for (std::size_t i = 0; i < r.positions.size(); ++i)
    if (!r.is_ornament[i]) first_at.try_emplace(r.positions[i], onsets.seconds[i]);
  std::vector<double> shares;
  for (auto& [position, time] : first_at) {
    if (position % grid_of_quarter != 0) continue;
    auto offbeat = first_at.find(position + grid_of_eighth);
    auto next = first_at.find(position + grid_of_quarter);
    if (offbeat != first_at.end() && next != first_at.end() && next->second > time)
      shares.push_back((offbeat->second - time) / (next->second - time));
  }
  if (shares.empty()) return std::nullopt;
  return median_of(shares);
}

}  // namespace fermata::midi
