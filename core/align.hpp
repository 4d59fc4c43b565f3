#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace fermata {

/// Pairs (i, j) of equal elements of two sequences, ascending on both sides: a longest common
/// subsequence by dynamic programming, as long as the differing middle is of moderate size; beyond
/// that, elements that occur once on each side divide it first (Cohen's patience diff).
template <class T>
std::vector<std::pair<std::size_t, std::size_t>> common_subsequence(const std::vector<T>& a,
                                                                    const std::vector<T>& b);

// --- mechanics -----------------------------------------------------------------------------------

namespace detail {

using index_pairs = std::vector<std::pair<std::size_t, std::size_t>>;

template <class T>
void align_by_table(const std::vector<T>& a, std::size_t a0, std::size_t a1,
                    const std::vector<T>& b, std::size_t b0, std::size_t b1, index_pairs& pairs) {
  auto n = a1 - a0, m = b1 - b0;
  std::vector<std::uint32_t> longest((n + 1) * (m + 1));
  auto at = [&](std::size_t i, std::size_t j) -> std::uint32_t& {
    return longest[i * (m + 1) + j];
  };
  for (auto i = n; i-- > 0;)
    for (auto j = m; j-- > 0;)
      at(i, j) =
          a[a0 + i] == b[b0 + j] ? at(i + 1, j + 1) + 1 : std::max(at(i + 1, j), at(i, j + 1));
  for (std::size_t i = 0, j = 0; i < n && j < m;) {
    if (a[a0 + i] == b[b0 + j] && at(i, j) == at(i + 1, j + 1) + 1)
      pairs.emplace_back(a0 + i++, b0 + j++);
    else if (at(i + 1, j) >= at(i, j + 1))
      ++i;
    else
      ++j;
  }
}

template <class T>
void align_range(const std::vector<T>& a, std::size_t a0, std::size_t a1, const std::vector<T>& b,
                 std::size_t b0, std::size_t b1, index_pairs& pairs) {
  while (a0 < a1 && b0 < b1 && a[a0] == b[b0])
    pairs.emplace_back(a0++, b0++);
  index_pairs tail;
  while (a0 < a1 && b0 < b1 && a[a1 - 1] == b[b1 - 1])
    tail.emplace_back(--a1, --b1);
  if (a0 < a1 && b0 < b1) {
    if ((a1 - a0) * (b1 - b0) <= 4'000'000) {
      align_by_table(a, a0, a1, b, b0, b1, pairs);
    } else {
      // Elements that occur once on each side, in an order that both sides share.
      std::map<T, std::pair<std::size_t, std::size_t>> in_a, in_b;  // count, place
      for (auto i = a0; i < a1; ++i)
        in_a[a[i]] = {in_a[a[i]].first + 1, i};
      for (auto j = b0; j < b1; ++j)
        in_b[b[j]] = {in_b[b[j]].first + 1, j};
      index_pairs anchors;
      for (auto i = a0; i < a1; ++i)
        if (auto& [count, place] = in_a[a[i]]; count == 1 && place == i)
          if (auto other = in_b.find(a[i]); other != in_b.end() && other->second.first == 1)
            if (anchors.empty() || other->second.second > anchors.back().second)
              anchors.emplace_back(i, other->second.second);
      auto from_a = a0, from_b = b0;
      for (auto [i, j] : anchors) {
        if (from_a < i && from_b < j && (i - from_a) * (j - from_b) <= 4'000'000)
          align_range(a, from_a, i, b, from_b, j, pairs);
        pairs.emplace_back(i, j);
        from_a = i + 1;
        from_b = j + 1;
      }
      if ((a1 - from_a) * (b1 - from_b) <= 4'000'000)
        align_range(a, from_a, a1, b, from_b, b1, pairs);
    }
  }
  pairs.insert(pairs.end(), tail.rbegin(), tail.rend());
}

}  // namespace detail

template <class T>
std::vector<std::pair<std::size_t, std::size_t>> common_subsequence(const std::vector<T>& a,
                                                                    const std::vector<T>& b) {
  detail::index_pairs pairs;
  detail::align_range(a, 0, a.size(), b, 0, b.size(), pairs);
  return pairs;
}

}  // namespace fermata
