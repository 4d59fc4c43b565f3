#include "core/score/model/same_music.hpp"

#include "core/align.hpp"
#include "core/score/model/content_hash.hpp"

#include <algorithm>
#include <iterator>
#include <map>

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

/// Says nothing but what is in force from here on.
bool only_opens(const measure_item& item) {
  auto* said = std::get_if<attributes>(&item.content);
  return said && item.at == measure_position{} && !said->multiple_rest && said->others.empty() &&
         !said->extra;
}

std::uint64_t hash_without_opening(const measure& m) {
  if (std::none_of(m.items.begin(), m.items.end(), only_opens)) return music_hash(m);
  auto rest = m;
  std::vector<measure_item> items;
  std::copy_if(m.items.begin(), m.items.end(), std::back_inserter(items),
               [](auto& item) { return !only_opens(item); });
  rest.items = shared_list<measure_item>(std::move(items));
  return music_hash(rest);
}

/// A number for each music with what is in force in it, as far as these measures say it.
class known_music {
public:
  std::vector<std::uint64_t> numbers(const std::vector<measure_ptr>& measures, part_state state) {
    std::vector<std::uint64_t> found;
    for (auto& m : measures) {
      auto here = state;
      here.apply(*m, measure_position{});
      found.push_back(number(hash_without_opening(*m), here));
      state.apply(*m);
    }
    return found;
  }

private:
  std::uint64_t number(std::uint64_t hash, const part_state& state) {
    auto& alike = known_[hash];
    auto it = std::find_if(alike.begin(), alike.end(), [&](auto& x) { return x.first == state; });
    if (it != alike.end()) return it->second;
    alike.emplace_back(state, ++last_);
    return last_;
  }

  std::map<std::uint64_t, std::vector<std::pair<part_state, std::uint64_t>>> known_;
  std::uint64_t last_ = 0;
};

std::vector<std::uint64_t> slice_of(const std::vector<std::uint64_t>& all, std::size_t begin,
                                    std::size_t end) {
  return {all.begin() + static_cast<std::ptrdiff_t>(begin),
          all.begin() + static_cast<std::ptrdiff_t>(end)};
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

std::vector<std::pair<std::size_t, std::size_t>> same_measures(const std::vector<measure_ptr>& a,
                                                               const std::vector<measure_ptr>& b,
                                                               const part_state& in_front_of_a,
                                                               const part_state& in_front_of_b) {
  auto hashes = [](const std::vector<measure_ptr>& measures) {
    std::vector<std::uint64_t> found;
    for (auto& m : measures)
      found.push_back(music_hash(*m));
    return found;
  };
  // What is alike as it stands first; between that, what is alike as it sounds.
  auto exact = same_music(hashes(a), hashes(b));
  known_music music;
  auto in_a = music.numbers(a, in_front_of_a), in_b = music.numbers(b, in_front_of_b);
  exact.emplace_back(a.size(), b.size());
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  std::size_t i = 0, j = 0;
  for (auto [next_i, next_j] : exact) {
    for (auto [x, y] : same_music(slice_of(in_a, i, next_i), slice_of(in_b, j, next_j)))
      pairs.emplace_back(i + x, j + y);
    if (next_i < a.size() && next_j < b.size()) pairs.emplace_back(next_i, next_j);
    i = next_i + 1;
    j = next_j + 1;
  }
  return pairs;
}

}  // namespace fermata
