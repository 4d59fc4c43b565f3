#include "midi/performance/keys.hpp"

#include <tuple>

namespace fermata::midi {

std::vector<written_change<key_signature>> keys_of(const part& p) {
  std::vector<written_change<key_signature>> keys;
  for (std::size_t m = 0; m < p.measures.size(); ++m)
    for (auto& item : p.measures.music_at(m).items)
      if (auto* a = std::get_if<attributes>(&item.content))
        for (auto& k : a->keys)
          if (!k.staff || *k.staff == 1) keys.push_back({m, item.at, k.value});
  sort_by_place(keys);
  return keys;
}

key_signature key_in_force(const std::vector<written_change<key_signature>>& keys,
                           std::size_t measure, measure_position at) {
  auto after = std::upper_bound(
      keys.begin(), keys.end(), std::tie(measure, at),
      [](const auto& place, const auto& k) { return place < std::tie(k.measure, k.at); });
  return after == keys.begin() ? key_signature{} : std::prev(after)->value;
}

}  // namespace fermata::midi
