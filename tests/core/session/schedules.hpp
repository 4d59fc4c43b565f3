#pragma once

#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

namespace fermata {

/// Runs a scenario once for each sequence of choices, at most `most` times. `choose(n)` answers a
/// number below n.
inline void for_all_schedules(
    std::size_t most,
    const std::function<void(const std::function<std::size_t(std::size_t)>&)>& run) {
  std::vector<std::pair<std::size_t, std::size_t>> taken;  // choice, of how many
  for (std::size_t n = 0; n < most; ++n) {
    std::size_t depth = 0;
    run([&](std::size_t of) {
      if (depth == taken.size()) taken.emplace_back(0, of);
      return taken[depth++].first;
    });
    taken.resize(depth);
    while (!taken.empty() && taken.back().first + 1 == taken.back().second)
      taken.pop_back();
    if (taken.empty()) return;
    ++taken.back().first;
  }
}

}  // namespace fermata
