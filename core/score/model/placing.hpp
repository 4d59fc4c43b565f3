#pragma once

#include "core/score/model/score.hpp"

#include <string>
#include <vector>

namespace fermata {

/// Putting single things into a measure that is being made, where the order of its items wants
/// them: voice by voice, by position within a voice.

/// A note, chord or rest at its place in its voice. What stands there already stays.
void place_timed(measure& m, measure_position at, chord_rest x);

/// What has no voice of its own, in front of what the voice plays at that place.
void place_beside(measure& m, measure_position at, const std::string& voice, measure_content c);

/// Key, time, clef ...: joins what changes at the same place; a new value for a staff replaces the
/// old one.
void place_attributes(measure& m, measure_position at, const std::string& voice,
                      const attributes& a);

/// A barline joins the one at the same side: what it says replaces, what it leaves open stays.
void place_barline(measure& m, measure_position at, const std::string& voice, const barline& b);

/// Whether a barline at `at` divides a measure that ends at `end`. Brackets of endings never do.
bool is_inner_barline(const barline& b, measure_position at, measure_position end);

/// Of music that is no score yet: the side of the barline was said, so it holds wherever the
/// barline stands. In a score the side always holds, and this is not kept.
void give_side(barline& b);
bool has_given_side(const barline& b);
/// Whether it was said; then it is no longer marked.
bool take_given_side(barline& b);

/// Right barlines last and behind all notes, whatever was added since they were placed.
void settle_right_barlines(measure& m);

/// Removes the rests of a voice within [from, to); what of them lies outside stays as rests spelt
/// in metre `t`. Answers the first sounding note or chord in the way, if any; then nothing is
/// changed.
const chord_rest* clear_rests(measure& m, const std::string& voice, measure_position from,
                              measure_position to, const time_signature& t);

/// Fills [from, to) of a voice with rests spelt in metre `t`; a whole empty measure with a
/// whole-measure rest. Lengths without a spelling become one rest without a note value.
void place_rests(measure& m, const std::string& voice, std::uint8_t staff, measure_position from,
                 measure_position to, const time_signature& t);

/// Pieces of `x`, tied in a row (rests: not tied), of the given note values. Slurs and other lines
/// start on the first and stop on the last; fermatas and breaths move to the last; other marks,
/// lyrics and the displayed accidental stay on the first. Explicit beams go.
std::vector<chord_rest> tied_pieces(const chord_rest& x, const std::vector<note_value>& values);

}  // namespace fermata
