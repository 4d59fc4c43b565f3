#pragma once

#include "core/score/model/score.hpp"
#include "midi/performance/written_change.hpp"

#include <vector>

namespace fermata::midi {

/// Swing: two notes on a beat that are written equal and played unequal.
///
/// `<sound><swing>` (MusicXML 4.0) says it, for the whole score from its place on; the word
/// "Swing" alone means 2:1 eighths. Grace notes, notes without a note value and notes that do not
/// last what their note value says (tuplets) are not swung, as the specification has it.
struct swing {
  quarters unit{rational{1, 2}};  ///< of the two notes: eighths or 16ths
  int first = 1, second = 1;      ///< 1:1 is straight
  bool operator==(const swing&) const = default;
};

/// In order of place.
std::vector<written_change<swing>> swings_of(const score& s);
swing swing_in_force(const std::vector<written_change<swing>>& swings, std::size_t measure,
                     measure_position at);

/// Whether the note takes part.
bool is_swung(const chord_rest& x);

/// Where a place that is so far behind a beat is played.
quarters swung(quarters place, const swing& s);

}  // namespace fermata::midi
