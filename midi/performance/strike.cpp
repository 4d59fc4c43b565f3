#include "midi/performance/strike.hpp"

#include <algorithm>
#include <tuple>

namespace fermata::midi {

void separate_unisons(std::vector<strike>& strikes) {
  auto place = [](const strike& s) { return std::tie(s.port, s.channel, s.key, s.onset); };
  std::stable_sort(strikes.begin(), strikes.end(),
                   [&](auto& a, auto& b) { return place(a) < place(b); });
  std::vector<strike> apart;
  apart.reserve(strikes.size());
  for (auto& s : strikes) {
    if (!apart.empty()) {
      auto& last = apart.back();
      if (place(last) == place(s)) {
        last.end = std::max(last.end, s.end);
        last.velocity = std::max(last.velocity, s.velocity);
        continue;
      }
      bool same_key = last.port == s.port && last.channel == s.channel && last.key == s.key;
      if (same_key && last.end > s.onset) {
        s.end = std::max(s.end, last.end);
        last.end = s.onset;
      }
    }
    apart.push_back(s);
  }
  strikes = std::move(apart);
}

}  // namespace fermata::midi
