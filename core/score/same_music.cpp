#include "core/score/same_music.hpp"

#include "core/score/align.hpp"

#include <algorithm>

namespace fermata {

namespace {

/// The places of what occurs in the sorted `other` too. Nothing else can have a partner, and in
/// most edits that is nearly all.
std::vector<std::size_t> shared_places(const std::vector<std::uint64_t>& hashes,
                                       const std::vector<std::uint64_t>& other) {
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < hashes.size(); ++i)
    if (std::binary_search(other.begin(), other.end(), hashes[i])) places.push_back(i);
  return places;
}

std::vector<std::uint64_t> sorted(std::vector<std::uint64_t> hashes) {
  std::sort(hashes.begin(), hashes.end());
  return hashes;
}

std::vector<std::uint64_t> picked(const std::vector<std::uint64_t>& hashes,
                                  const std::vector<std::size_t>& places) {
  std::vector<std::uint64_t> found;
  for (auto i : places)
    found.push_back(hashes[i]);
  return found;
}

}  // namespace

bool shares_music(const measure& a, const measure& b) {
  return a.items.shares(b.items) && a.implicit == b.implicit && a.padded_to == b.padded_to;
}

std::vector<std::pair<std::size_t, std::size_t>> same_music(const std::vector<std::uint64_t>& a,
                                                            const std::vector<std::uint64_t>& b) {
  auto places_a = shared_places(a, sorted(b)), places_b = shared_places(b, sorted(a));
  auto kept_a = picked(a, places_a), kept_b = picked(b, places_b);
  // Among equally long ones the choice depends on which comes first, so their content says it.
  auto turned = kept_b < kept_a;
  auto pairs = turned ? common_subsequence(kept_b, kept_a) : common_subsequence(kept_a, kept_b);
  for (auto& [i, j] : pairs) {
    if (turned) std::swap(i, j);
    i = places_a[i];
    j = places_b[j];
  }
  return pairs;
}

}  // namespace fermata
