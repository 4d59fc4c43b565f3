#include "core/theory/key_finding.hpp"

#include "core/music/modular.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <map>

namespace fermata {

namespace {

/// Pearson's coefficient; 0 when one side does not vary.
double correlation(const profile_weights& a, const profile_weights& b) {
  double mean_a = 0, mean_b = 0;
  for (std::size_t i = 0; i < 12; ++i) {
    mean_a += a[i] / 12;
    mean_b += b[i] / 12;
  }
  double product = 0, square_a = 0, square_b = 0;
  for (std::size_t i = 0; i < 12; ++i) {
    product += (a[i] - mean_a) * (b[i] - mean_b);
    square_a += (a[i] - mean_a) * (a[i] - mean_a);
    square_b += (b[i] - mean_b) * (b[i] - mean_b);
  }
  auto scale = std::sqrt(square_a * square_b);
  return scale > 0 ? product / scale : 0;
}

/// The tonics with this pitch class whose key needs at most seven accidentals.
std::vector<pitch_name> spellings(int tonic_class, mode m) {
  std::vector<pitch_name> names;
  for (int f = -7; f <= 7; ++f) {
    auto name = from_line_of_fifths(f - fifths_offset(m));
    if (pitch_class(name) == tonic_class) names.push_back(name);
  }
  return names;
}

/// How much of the music is written as the key has it, by place on the line of fifths.
double written_share(const std::map<int, double>& by_name, const tonality& key) {
  double share = 0;
  auto lowest = fifths(key) - 1;
  for (const auto& [place, length] : by_name)
    if (place >= lowest && place < lowest + 7) share += length;
  return share;
}

tonality as_written(const tonality& key, const std::map<int, double>& by_name) {
  auto best = key;
  for (auto name : spellings(pitch_class(key.tonic), key.mode))
    if (written_share(by_name, {name, key.mode}) > written_share(by_name, best)) best.tonic = name;
  return best;
}

}  // namespace

std::vector<key_estimate> key_estimates(const profile_weights& histogram, key_profile profile) {
  std::vector<key_estimate> estimates;
  for (auto m : {mode::major, mode::minor})
    for (int tonic_class = 0; tonic_class < 12; ++tonic_class) {
      profile_weights rotated{};
      for (int i = 0; i < 12; ++i)
        rotated[static_cast<std::size_t>(mod(i + tonic_class, 12))] =
            weights(profile, m == mode::minor)[static_cast<std::size_t>(i)];
      auto names = spellings(tonic_class, m);
      auto fewest = *std::min_element(names.begin(), names.end(), [m](pitch_name a, pitch_name b) {
        return std::abs(fifths({a, m})) < std::abs(fifths({b, m}));
      });
      estimates.push_back({{fewest, m}, correlation(histogram, rotated)});
    }
  std::stable_sort(
      estimates.begin(), estimates.end(),
      [](const key_estimate& a, const key_estimate& b) { return a.correlation > b.correlation; });
  return estimates;
}

std::optional<found_key> find_key(const std::vector<timed_note>& notes, key_profile profile) {
  profile_weights histogram{};
  std::map<int, double> by_name;
  for (const auto& n : notes) {
    auto length = n.length.value.to_double();
    histogram[static_cast<std::size_t>(pitch_class(n.pitch.name()))] += length;
    if (auto place = line_of_fifths(n.pitch.name())) by_name[*place] += length;
  }
  auto [least, most] = std::minmax_element(histogram.begin(), histogram.end());
  if (*least == *most) return std::nullopt;
  auto estimates = key_estimates(histogram, profile);
  found_key found{estimates[0], estimates[1], 0};
  found.best.key = as_written(found.best.key, by_name);
  found.runner_up.key = as_written(found.runner_up.key, by_name);
  auto room = 1 - found.runner_up.correlation;
  if (room > 0)
    found.confidence =
        std::clamp((found.best.correlation - found.runner_up.correlation) / room, 0.0, 1.0);
  return found;
}

}  // namespace fermata
