#pragma once

#include "io/lilypond/chord_text.hpp"
#include "io/lilypond/score_plan.hpp"
#include "io/lilypond/tuplets.hpp"

#include <cstddef>
#include <map>
#include <utility>
#include <vector>

namespace fermata::io::lilypond {

/// A chord of a voice in its measure.
struct placed_chord {
  std::size_t item;
  measure_position at;
  const chord_rest* chord;
};
/// The chords and rests of a voice in a measure, in the order in which they are written.
std::vector<placed_chord> chords_of(const part& p, std::size_t measure, const voice_plan& voice);

using item_place = std::pair<std::size_t, std::size_t>;  // measure, item

/// What the lines between the notes of a voice add to its chords.
struct voice_links {
  std::map<item_place, chord_links> chords;
  bracket_plan brackets;
  std::map<item_place, int> tremolos;  ///< strokes of two-note tremolos, by the first chord
};

/// Finds the lines of a voice that LilyPond can draw, and counts the others as lost.
voice_links link_voice(const score_plan& plan, const part_plan& part, const voice_plan& voice);

}  // namespace fermata::io::lilypond
