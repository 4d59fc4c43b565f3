#pragma once

#include "core/score/model/score.hpp"

#include <string>
#include <vector>

namespace fermata {

/// Placing single items into a measure under construction, in their order: by voice, and by
/// position within a voice.

/// A note, chord or rest at its position in its voice. Existing items are kept.
void place_timed(measure& m, measure_position at, chord_rest x);

/// An item without a voice of its own, before the notes of the voice at that position.
void place_beside(measure& m, measure_position at, const std::string& voice, measure_content c);

/// Key, time, clef ...: joins the attributes at the same position; a new value for a staff replaces
/// the old one.
void place_attributes(measure& m, measure_position at, const std::string& voice,
                      const attributes& a);

/// Joins a barline with the one at the same side: its own values replace, the others are kept.
void place_barline(measure& m, measure_position at, const std::string& voice, const barline& b);

/// Whether a barline at `at` divides a measure that ends at `end`. Brackets of endings never do.
bool is_inner_barline(const barline& b, measure_position at, measure_position end);

/// For music outside a score: marks the side of the barline as given, so that it applies wherever
/// the barline is. In a score the side always applies, and this is not stored.
void give_side(barline& b);
bool has_given_side(const barline& b);
/// Whether it was marked; removes the mark.
bool take_given_side(barline& b);

/// Moves right barlines after all notes, including ones added since they were placed.
void settle_right_barlines(measure& m);

/// Removes the rests of a voice within [from, to); parts of them outside remain as rests spelt in
/// time signature `t`. Returns the first note or chord there, if any; then nothing is changed.
const chord_rest* clear_rests(measure& m, const std::string& voice, measure_position from,
                              measure_position to, const time_signature& t);

/// Fills [from, to) of a voice with rests spelt in time signature `t`; a whole empty measure with a
/// whole-measure rest. Lengths without a spelling become one rest without a note value.
void place_rests(measure& m, const std::string& voice, std::uint8_t staff, measure_position from,
                 measure_position to, const time_signature& t);

/// Pieces of `x` with the given note values, tied in a row (rests: not tied). Slurs and other
/// spanners start on the first and stop on the last; fermatas and breaths move to the last; other
/// marks, lyrics and the displayed accidental stay on the first. Explicit beams are removed.
std::vector<chord_rest> tied_pieces(const chord_rest& x, const std::vector<note_value>& values);

}  // namespace fermata
