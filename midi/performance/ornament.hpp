#pragma once

#include "core/score/model/score.hpp"

#include <vector>

namespace fermata::midi {

/// Ornaments on one note, written out.
///
/// The notes and their times are those of MusicXML's trill-sound attributes (musicxml.xsd,
/// "trill-sound") with its defaults, and what a file says in these attributes is obeyed:
/// - trill: upper note first. As many notes as 32nds fit, an even number, 4 at least (`beats`),
///   evenly; `start-note="main"` an odd number, so that all trills end on the main note.
///   `two-note-turn` adds the note below and the main note at the end.
/// - mordent (the sign with the line): main, lower, main at 0, 12 and 24 % of the length;
///   inverted mordent the same with the upper note. `long`: five notes, 12 % apart.
/// - turn: upper, main, lower, main, each a quarter of the length; inverted turn: lower, main,
///   upper, main. Delayed turns hold the main note for the first half.
///   Vertical turns are played like the others. So is Haydn's sign, which he wrote for turns and
///   mordents alike; that it is a turn is our choice.
/// - shake: a trill of 4 notes, each a quarter of the length.
/// - schleifer (slide): from a third below by step, on the beat (C. P. E. Bach, "Versuch", I.2.7);
///   two 32nds, at most half of the note together, which is our choice.
/// The upper and lower notes are those of the key, as is usual, an
/// accidental mark or `trill-step` changes them. (The schema's default is a whole tone, which
/// would be wrong in half of the cases.) `accelerate` is not obeyed.
///
/// On percussion the strokes of an ornament are all on the one note: a trill is a roll (Read). On
/// the notes of a tie an ornament begins with the note that has it and lasts to the end of the tie.
/// Grace notes are played without ornaments.
struct ornament_tone {
  rational from;  ///< share of the length at which it begins; it lasts to the next one
  int cents = 0;  ///< from the main note
  bool operator==(const ornament_tone&) const = default;
};

/// Whether the note has an ornament that is played.
bool has_ornament(const note& n);

/// The tones of the first ornament of the note, in order; empty: it has none. `trilled`: the trill
/// of a wavy line over it (wavy_lines.hpp), if it has no ornament of its own.
std::vector<ornament_tone> ornament_tones(const note& n, quarters length, const key_signature& key,
                                          const mark* trilled = nullptr);

}  // namespace fermata::midi
