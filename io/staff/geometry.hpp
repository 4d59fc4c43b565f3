#pragma once

#include "core/music/clef.hpp"
#include "core/music/key.hpp"
#include "core/music/pitch.hpp"

#include <string>
#include <vector>

namespace fermata::io::staff {

/// Places on a five-line staff are counted in steps from the bottom line: lines are 0, 2, 4, 6, 8,
/// the space below the staff is -1, middle C under the treble clef -2.
inline constexpr int top_line = 8, middle_line = 4;

/// The diatonic index (pitch.hpp) of the bottom line: e4 for treble, g2 for bass, f3 for alto. A
/// clef that names no pitch (percussion, tablature) counts as treble.
int bottom_line_of(const clef& c);

int place_of(pitch p, const clef& c);

/// Ledger lines that a note at this place needs, nearest the staff first: -2 and -4 for -5.
std::vector<int> ledger_lines(int place);

/// One sign of a key signature.
struct key_sign {
  int place;
  std::string accidental;  ///< MusicXML value
  bool operator==(const key_sign&) const = default;
};

/// The signs in the order and at the places of the engravers (Read, Music Notation, ch. 9): the
/// figure that the treble clef has, moved to where the clef has the letters, with sharps that would
/// stand above the top space taken down an octave, which is how the tenor clef has them.
std::vector<key_sign> key_signs(const key_signature& k, const clef& c);

}  // namespace fermata::io::staff
