#pragma once

#include "core/score/model/score.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace fermata::io {

/// How much of a score is drawn, and with what.
struct staff_options {
  std::size_t columns = 80;
  bool unicode = true;                     ///< false: ASCII only
  std::optional<std::size_t> part;         ///< index; all without one
  std::size_t first = 0, last = SIZE_MAX;  ///< measures by index, inclusive
  bool choose_clef = false;  ///< low music on a single treble staff is drawn in the bass clef
};

/// The score on staves, in systems no wider than `columns`: clef, key and time signature, notes and
/// chords with ledger lines, accidentals, dots, stems, flags, beams and ties, rests, tuplet
/// numbers, barlines and repeats, articulations, slurs, dynamics, hairpins, syllables, words, chord
/// symbols and endings. Every line and every space of a staff has a row of its own. A system begins
/// with the number of its measure when it is not the first. A measure that is wider than a whole
/// system goes on in the next one. A last line names what has no picture. Lines end in "\n"; empty
/// for a score without measures.
///
///     ┌────┬───────────────────┐
///     │    │                   │
///     ├────┼─────────────●─────┤
///     ...
std::string staff_picture(const score& s, const staff_options& o = {});

}  // namespace fermata::io
