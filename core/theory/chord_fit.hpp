#pragma once

#include "core/music/pitch.hpp"
#include "core/theory/tonality.hpp"

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

namespace fermata::detail {

/// How much of each tone sounds in a span, and in the bass; what chord templates are fitted to.
struct tone_weights {
  /// Places -22..22 of the line of fifths.
  static constexpr int flattest = -22, sharpest = 22;
  std::array<double, sharpest - flattest + 1> by_name{};
  std::array<double, 12> by_class{};
  std::array<double, 12> in_bass{};  ///< while it is the lowest tone
  double total = 0;
  int lowest_class = -1;  ///< of the lowest pitch of all

  void add(pitch_name name, double weight);
};

/// A chord template on a root.
struct fitted_chord {
  int root_class = 0;
  std::size_t kind = 0;  ///< row of `chord_templates`
  double score = 0;      ///< 1 when every tone fits and none is missing
};

/// Semitones of the tones above the root, and the steps that spell them.
struct chord_template {
  std::size_t size;
  std::array<int, 4> semitones;
  std::array<int, 4> fifths;  ///< the same on the line of fifths, relative to the root
  double rarity;              ///< taken off the score
};
inline constexpr std::array<chord_template, 9> chord_templates{{
    {3, {0, 4, 7, 0}, {0, 4, 1, 0}, 0.00},      // major
    {3, {0, 3, 7, 0}, {0, -3, 1, 0}, 0.00},     // minor
    {3, {0, 3, 6, 0}, {0, -3, -6, 0}, 0.14},    // diminished
    {3, {0, 4, 8, 0}, {0, 4, 8, 0}, 0.28},      // augmented
    {4, {0, 4, 7, 10}, {0, 4, 1, -2}, 0.035},   // dominant seventh
    {4, {0, 4, 7, 11}, {0, 4, 1, 5}, 0.28},     // major seventh
    {4, {0, 3, 7, 10}, {0, -3, 1, -2}, 0.22},   // minor seventh
    {4, {0, 3, 6, 10}, {0, -3, -6, -2}, 0.18},  // half-diminished seventh
    {4, {0, 3, 6, 9}, {0, -3, -6, -9}, 0.11},   // diminished seventh
}};

/// The best template on the best root; nothing without two different tones.
std::optional<fitted_chord> best_fit(const tone_weights& w, const std::optional<tonality>& key);

/// The spelled tones of a fitted chord, root first: the root is written as it sounds in the music,
/// or as the tones that do sound ask for.
std::vector<pitch_name> spelled_tones(const tone_weights& w, const fitted_chord& c);

/// The class of the bass: the lowest pitch if it is a chord tone, else what is lowest longest.
int bass_class(const tone_weights& w, const fitted_chord& c);

}  // namespace fermata::detail
