#include "midi/performance/lanes.hpp"

#include <algorithm>
#include <cmath>

namespace fermata::midi {

bent_key bent_key_of(int cents) {
  auto shifted = cents + 49;
  auto key = shifted >= 0 ? shifted / 100 : -((99 - shifted) / 100);
  return {key, cents - key * 100};
}

std::int16_t bend_value(int cents, int range) {
  auto value = std::lround(cents * 8192.0 / (range * 100.0));
  return static_cast<std::int16_t>(std::clamp(value, -8192L, 8191L));
}

lane_set::choice lane_set::lane_for(quarters onset, quarters silent, int cents, bool slides) {
  constexpr std::size_t most_kept = 15;
  if (cents == 0 && !slides) return {0, false};
  if (!slides)
    if (auto bent = bent_.find(cents); bent != bent_.end()) return use(bent->second, silent, cents);
  auto& waiting = by_silence_[slides];
  const auto is_idle = !waiting.empty() && waiting.begin()->first <= onset;
  if (is_idle && (slides || lanes_.size() >= most_kept))
    return use(waiting.begin()->second, silent, cents);
  lanes_.push_back({0, slides, {}});
  waiting.emplace(quarters{}, lanes_.size() - 1);
  return use(lanes_.size() - 1, silent, cents);
}

lane_set::choice lane_set::use(std::size_t i, quarters silent, int cents) {
  auto& l = lanes_[i];
  const bool bends = l.slides || l.cents != cents;
  auto& waiting = by_silence_[l.slides];
  waiting.erase({l.silent, i});
  l.silent = std::max(l.silent, silent);
  waiting.emplace(l.silent, i);
  if (!l.slides) {
    bent_.erase(l.cents);
    bent_[cents] = i;
  }
  l.cents = cents;
  return {i, bends};
}

}  // namespace fermata::midi
