#include "midi/transcription/onset_accents.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace fermata::midi {

namespace {

using namespace std::chrono_literals;

/// Notes that are not further apart begin together.
constexpr std::chrono::nanoseconds longest_gap = 35ms, longest_chord = 70ms;
/// Neighbours of a chord: for its lowest note, and for its length.
constexpr std::size_t near_neighbours = 3, neighbours = 8;

constexpr std::size_t sizes = 6, bass_ranks = 3, length_ranks = 4;
template <std::size_t N>
using shares = std::array<double, N>;

/// By metric level, then of all onsets.
constexpr shares<sizes> size_shares[] = {
    {.067, .209, .256, .274, .128, .066}, {.175, .236, .233, .214, .087, .054},
    {.243, .300, .188, .166, .076, .028}, {.456, .288, .132, .077, .035, .012},
    {.695, .223, .037, .032, .012, .003}, {.441, .472, .072, .010, .005, .002},
    {.610, .211, .108, .060, .009, .003}, {.404, .261, .144, .118, .050, .022}};
constexpr shares<bass_ranks> bass_shares[] = {
    {.267, .221, .512}, {.408, .212, .380}, {.529, .282, .189}, {.726, .193, .081},
    {.872, .083, .045}, {.875, .078, .047}, {.830, .119, .051}, {.647, .179, .174}};
constexpr shares<length_ranks> length_shares[] = {
    {.010, .183, .247, .565}, {.014, .386, .298, .302}, {.043, .540, .259, .158},
    {.116, .728, .131, .026}, {.214, .749, .033, .006}, {.191, .808, .006, .006},
    {.145, .851, .006, .006}, {.104, .612, .145, .139}};
/// The three are not independent of each other.
constexpr double weight_of_size = .6, weight_of_bass = .64, weight_of_length = .38;

struct onset_group {
  std::size_t first = 0, size = 0;
  int lowest = 127;
  double length = 0;  ///< of its longest note
};

std::vector<onset_group> groups_of(const std::vector<performed_note>& notes) {
  std::vector<onset_group> chords;
  for (std::size_t i = 0; i < notes.size(); ++i) {
    auto begins = chords.empty() || notes[i].on - notes[i - 1].on > longest_gap ||
                  notes[i].on - notes[chords.back().first].on > longest_chord;
    if (begins) chords.push_back({i});
    auto& c = chords.back();
    ++c.size;
    c.lowest = std::min(c.lowest, int{notes[i].key});
    c.length =
        std::max(c.length, std::chrono::duration<double>(notes[i].off - notes[i].on).count());
  }
  return chords;
}

/// 2: the lowest of its neighbourhood; 1: lower than those beside it, or the lowest at an edge.
std::size_t bass_rank(const std::vector<onset_group>& chords, std::size_t i) {
  auto& c = chords[i];
  auto is_lower = i > 0 && i + 1 < chords.size() && c.lowest <= chords[i - 1].lowest &&
                  c.lowest < chords[i + 1].lowest;
  auto from = i - std::min(i, near_neighbours);
  auto to = std::min(chords.size(), i + near_neighbours + 1);
  auto is_lowest = true;
  for (auto j = from; j < to; ++j)
    if (chords[j].lowest < c.lowest) is_lowest = false;
  return std::size_t{is_lower} + std::size_t{is_lowest};
}

std::size_t length_rank(const std::vector<onset_group>& chords, std::size_t i) {
  auto from = i - std::min(i, neighbours);
  auto to = std::min(chords.size(), i + neighbours + 1);
  std::vector<double> lengths;
  for (auto j = from; j < to; ++j)
    lengths.push_back(chords[j].length);
  auto middle = lengths.begin() + static_cast<std::ptrdiff_t>(lengths.size() / 2);
  std::nth_element(lengths.begin(), middle, lengths.end());
  auto ratio = chords[i].length / std::max(1e-3, *middle);
  if (ratio < .7) return 0;
  if (ratio < 1.4) return 1;
  return ratio < 2.8 ? 2 : 3;
}

}  // namespace

std::vector<onset_accent> onset_accents(const std::vector<performed_note>& notes) {
  std::vector<onset_accent> accents(notes.size());
  auto chords = groups_of(notes);
  for (std::size_t i = 0; i < chords.size(); ++i) {
    auto size = std::min(chords[i].size, sizes) - 1;
    auto bass = bass_rank(chords, i), length = length_rank(chords, i);
    auto& accent = accents[chords[i].first];
    accent.begins_chord = true;
    for (std::size_t level = 0; level < metric_levels; ++level)
      accent.evidence[level] = static_cast<float>(
          weight_of_size * std::log(size_shares[level][size] / size_shares[metric_levels][size]) +
          weight_of_bass * std::log(bass_shares[level][bass] / bass_shares[metric_levels][bass]) +
          weight_of_length *
              std::log(length_shares[level][length] / length_shares[metric_levels][length]));
  }
  return accents;
}

}  // namespace fermata::midi
