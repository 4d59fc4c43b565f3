#include "core/theory/key_tracking.hpp"

#include "core/music/modular.hpp"
#include "core/theory/key_profiles.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <map>

namespace fermata {

namespace {

/// Signatures from nine flats to nine sharps, each with its major and minor key.
constexpr int farthest_signature = 9;
constexpr std::size_t signatures_count = 2 * farthest_signature + 1,
                      key_states = 2 * signatures_count;

/// The parameters, in units of negative log probability. None is delicate: halving or doubling any
/// of them moves the spelling of the OpenScore songs by less than 0.3 percent.
constexpr double key_change_cost = 2.0, fifth_cost = 1.0, parallel_cost = 1.0, relative_cost = 0.5;
constexpr double profile_floor = 0.003;  ///< added to each weight: nothing is impossible
constexpr double accidental_cost = 0.1;  ///< per quarter and fifth beyond the free ones
constexpr int free_accidentals = 5, free_fifths_from_signature = 1;
constexpr double opening_cost = 0.15;  ///< per accidental of the first key
constexpr double grace_weight = 0.1;

using key_state_costs = std::array<double, key_states>;

int fifths_of(std::size_t state) {
  return static_cast<int>(state % signatures_count) - farthest_signature;
}
bool is_minor_state(std::size_t state) { return state >= signatures_count; }
/// The tonic on the line of fifths.
int tonic_of(std::size_t state) { return fifths_of(state) + (is_minor_state(state) ? 3 : 0); }

double transition_cost(std::size_t from, std::size_t to) {
  if (from == to) return 0;
  double distance = std::abs(fifths_of(from) - fifths_of(to));
  if (is_minor_state(from) != is_minor_state(to)) {
    distance += relative_cost;
    if (tonic_of(from) == tonic_of(to)) distance = std::min(distance, parallel_cost);
  }
  return key_change_cost + fifth_cost * distance;
}

std::array<std::array<double, 12>, key_states> emission_costs() {
  std::array<std::array<double, 12>, key_states> costs{};
  for (std::size_t s = 0; s < key_states; ++s) {
    const auto& w = weights(key_profile::albrecht_shanahan, is_minor_state(s));
    for (int pc = 0; pc < 12; ++pc) {
      auto above_tonic = mod(pc - 7 * tonic_of(s), 12);
      costs[s][static_cast<std::size_t>(pc)] =
          -std::log(w[static_cast<std::size_t>(above_tonic)] + profile_floor);
    }
  }
  return costs;
}

/// What sounds in one quarter: weight per pitch class.
using quarter_slice = std::array<double, 12>;

std::map<std::int64_t, quarter_slice> quarter_slices_of(const std::vector<unspelled_note>& notes) {
  std::map<std::int64_t, quarter_slice> slices;
  for (const auto& n : notes) {
    auto length = std::min(n.length.value.to_double(), 1.0);
    slices[floor(n.onset.value)][static_cast<std::size_t>(mod(n.midi_key, 12))] +=
        length > 0 ? std::sqrt(length) : grace_weight;
  }
  return slices;
}

int signature_at(const std::vector<signature_change>& signatures, std::int64_t quarter) {
  auto fifths = signatures.front().fifths;
  for (const auto& s : signatures)
    if (s.at <= quarters{quarter}) fifths = s.fifths;
  return fifths;
}

}  // namespace

std::vector<key_change> track_keys(const std::vector<unspelled_note>& notes,
                                   const std::vector<signature_change>& signatures) {
  static const auto emissions = emission_costs();
  auto slices = quarter_slices_of(notes);
  if (slices.empty()) return {};
  key_state_costs best{};
  std::vector<std::array<std::uint8_t, key_states>> origins;
  bool first = true;
  for (const auto& [quarter, sounding] : slices) {
    auto previous = best;
    auto& origin = origins.emplace_back();
    auto centre = signatures.empty() ? 0 : signature_at(signatures, quarter);
    auto free = signatures.empty() ? free_accidentals : free_fifths_from_signature;
    for (std::size_t s = 0; s < key_states; ++s) {
      double cost = 0;
      if (first) {
        cost = signatures.empty() ? opening_cost * std::abs(fifths_of(s)) : 0;
      } else {
        cost = previous[s];
        origin[s] = static_cast<std::uint8_t>(s);
        for (std::size_t from = 0; from < key_states; ++from)
          if (auto c = previous[from] + transition_cost(from, s); c < cost) {
            cost = c;
            origin[s] = static_cast<std::uint8_t>(from);
          }
      }
      cost += accidental_cost * std::max(0, std::abs(fifths_of(s) - centre) - free);
      for (std::size_t pc = 0; pc < 12; ++pc)
        cost += sounding[pc] * emissions[s][pc];
      best[s] = cost;
    }
    first = false;
  }
  auto state = static_cast<std::size_t>(std::min_element(best.begin(), best.end()) - best.begin());
  std::vector<key_change> changes;
  auto at = slices.rbegin();
  for (auto i = origins.size(); i-- > 0; ++at) {
    tonality key{from_line_of_fifths(tonic_of(state)),
                 is_minor_state(state) ? mode::minor : mode::major};
    quarters start{at->first};
    if (!changes.empty() && changes.back().key == key)
      changes.back().at = start;
    else
      changes.push_back({start, key});
    state = origins[i][state];
  }
  std::reverse(changes.begin(), changes.end());
  return changes;
}

const tonality& key_at(const std::vector<key_change>& changes, quarters at) {
  auto after = std::upper_bound(changes.begin(), changes.end(), at,
                                [](quarters q, const key_change& c) { return q < c.at; });
  return after == changes.begin() ? changes.front().key : std::prev(after)->key;
}

}  // namespace fermata
