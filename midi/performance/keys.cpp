#include "midi/performance/keys.hpp"

#include "core/score/model/part_defaults.hpp"
#include "core/score/model/walk.hpp"

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

std::vector<written_change<key_signature>> sounding_keys_of(const part& p) {
  auto keys = keys_of(p);
  std::erase_if(keys, [](const auto& k) { return !k.value.alterations.empty(); });
  auto next = keys.begin();
  walk_measures(p, [&](std::size_t m, const measure& music, const part_state& before) {
    if (next == keys.end() || next->measure != m) return;
    auto state = before;
    state.apply(music);
    const auto transpose = state.staff(1).transpose.value_or(transposition{});
    for (; next != keys.end() && next->measure == m; ++next)
      next->value = sounding_key(next->value, transpose);
  });
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
