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
  auto use = [&](std::size_t i) {
    auto& l = lanes_[i];
    bool bends = slides || l.cents != cents;
    l.cents = cents;
    l.silent = std::max(l.silent, silent);
    return choice{i, bends};
  };
  if (cents == 0 && !slides) return use(0);
  std::size_t idle = 0;  // none
  for (std::size_t i = 1; i < lanes_.size(); ++i) {
    auto& l = lanes_[i];
    if (l.slides != slides) continue;
    if (!slides && l.cents == cents) return use(i);
    if (l.silent <= onset && (idle == 0 || l.silent < lanes_[idle].silent)) idle = i;
  }
  bool reuse = idle != 0 && (slides || lanes_.size() >= most_kept);
  if (!reuse) {
    lanes_.push_back({0, slides, {}});
    idle = lanes_.size() - 1;
  }
  return use(idle);
}

}  // namespace fermata::midi
