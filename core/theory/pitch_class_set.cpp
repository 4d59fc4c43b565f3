#include "core/theory/pitch_class_set.hpp"

#include "core/music/modular.hpp"

#include <algorithm>
#include <bit>

namespace fermata {

namespace {

/// Whether `a` is more compact than `b`; both begin on 0 and have the same size.
bool more_compact(const std::vector<int>& a, const std::vector<int>& b, packing p) {
  if (a.back() != b.back()) return a.back() < b.back();
  if (p == packing::forte) return a < b;
  return std::lexicographical_compare(a.rbegin(), a.rend(), b.rbegin(), b.rend());
}

std::vector<int> from_zero(std::vector<int> ordering) {
  auto first = ordering.front();
  for (auto& x : ordering)
    x = mod(x - first, 12);
  return ordering;
}

}  // namespace

int pitch_class_set::size() const { return std::popcount(bits); }

std::vector<int> pitch_class_set::members() const {
  std::vector<int> result;
  for (int x = 0; x < 12; ++x)
    if (contains(x)) result.push_back(x);
  return result;
}

std::optional<pitch> first_microtone(const std::vector<pitch>& pitches) {
  auto found = std::find_if(pitches.begin(), pitches.end(),
                            [](auto p) { return !has_pitch_class(p.name()); });
  return found == pitches.end() ? std::nullopt : std::optional{*found};
}

pitch_class_set pitch_classes_of(const std::vector<pitch>& pitches) {
  pitch_class_set s;
  for (auto p : pitches)
    s.insert(pitch_class(p.name()));
  return s;
}

pitch_class_set transposed(pitch_class_set s, int n) {
  auto shift = static_cast<unsigned>(mod(n, 12));
  unsigned b = s.bits;
  return pitch_class_set::from_bits(b << shift | b >> (12 - shift));
}

pitch_class_set inverted(pitch_class_set s, int n) {
  pitch_class_set result;
  for (int x : s.members())
    result.insert(n - x);
  return result;
}

pitch_class_set multiplied(pitch_class_set s, int k) {
  pitch_class_set result;
  for (int x : s.members())
    result.insert(mod(k, 12) * x);
  return result;
}

pitch_class_set complement(pitch_class_set s) {
  return pitch_class_set::from_bits(~static_cast<unsigned>(s.bits));
}

std::vector<int> normal_form(pitch_class_set s, packing p) {
  auto members = s.members();
  if (members.empty()) return {};
  auto best = members;
  for (std::size_t i = 1; i < members.size(); ++i) {
    std::rotate(members.begin(), members.begin() + 1, members.end());
    if (more_compact(from_zero(members), from_zero(best), p)) best = members;
  }
  return best;
}

std::vector<int> prime_form(pitch_class_set s, packing p) {
  if (s.empty()) return {};
  auto upright = from_zero(normal_form(s, p));
  auto mirrored = from_zero(normal_form(inverted(s), p));
  return more_compact(mirrored, upright, p) ? mirrored : upright;
}

std::vector<int> interval_vector(pitch_class_set s) {
  std::vector<int> counts(6);
  auto members = s.members();
  for (std::size_t i = 0; i < members.size(); ++i)
    for (std::size_t j = i + 1; j < members.size(); ++j) {
      auto apart = members[j] - members[i];
      ++counts[static_cast<std::size_t>(std::min(apart, 12 - apart) - 1)];
    }
  return counts;
}

std::vector<int> common_tones_under_transposition(pitch_class_set s) {
  std::vector<int> result;
  for (int n = 0; n < 12; ++n)
    result.push_back(intersection(s, transposed(s, n)).size());
  return result;
}

std::vector<int> common_tones_under_inversion(pitch_class_set s) {
  std::vector<int> result;
  for (int n = 0; n < 12; ++n)
    result.push_back(intersection(s, inverted(s, n)).size());
  return result;
}

std::vector<int> transpositional_symmetries(pitch_class_set s) {
  std::vector<int> result;
  for (int n = 0; n < 12; ++n)
    if (transposed(s, n) == s) result.push_back(n);
  return result;
}

std::vector<int> inversional_symmetries(pitch_class_set s) {
  std::vector<int> result;
  for (int n = 0; n < 12; ++n)
    if (inverted(s, n) == s) result.push_back(n);
  return result;
}

}  // namespace fermata
