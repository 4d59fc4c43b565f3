#include "midi/performance/part_pedals.hpp"

#include "midi/performance/pedal.hpp"

#include <algorithm>

namespace fermata::midi {

part_pedals::part_pedals(const part& p, std::uint32_t index, const unfolded_time& time) {
  auto end = time.starts.back();
  std::vector<bool> down;
  for (auto& line : pedals_of(p)) {
    std::uint8_t last = 0;
    auto add = [&](quarters at, std::uint8_t value, const score_source& source) {
      last = value;
      changes_.push_back({at, line.number, value, source});
      if (line.number != controllers::damper_pedal) return;
      damper_at_.push_back(at);
      down.push_back(value > 0);
    };
    unfold_changes(line.changes, time, [&](std::size_t k, quarters at, const auto& change) {
      if (change.value == last) return;
      score_source source;
      source.part = index;
      source.played = static_cast<std::uint32_t>(k);
      source.measure = static_cast<std::uint32_t>(change.measure);
      source.position = change.at;
      add(at, change.value, source);
    });
    if (last > 0) {
      score_source source;
      source.part = index;
      add(end, 0, source);
    }
  }
  up_.resize(damper_at_.size());
  auto next_up = end;
  for (auto i = damper_at_.size(); i-- > 0;) {
    if (!down[i]) next_up = damper_at_[i];
    up_[i] = next_up;
  }
}

quarters part_pedals::silent_after(quarters end) const {
  // A pedal that is pressed where the note ends comes too late for it.
  auto after = std::lower_bound(damper_at_.begin(), damper_at_.end(), end);
  if (after == damper_at_.begin()) return end;
  return std::max(end, up_[static_cast<std::size_t>(after - damper_at_.begin()) - 1]);
}

}  // namespace fermata::midi
