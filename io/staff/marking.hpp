#pragma once

#include "core/score/model/measure.hpp"
#include "io/staff/glyphs.hpp"
#include "io/staff/layout.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace fermata::io::staff {

/// What stands around the notes, taken from the score: signs of articulation, slurs, syllables,
/// dynamics, words, chord symbols, endings. What has no picture here is counted in `left_out`, so
/// that it can be named below.

/// Marks, slurs and syllables of a note, chord or rest.
void add_marks(drawn_chord& d, const chord_rest& x, const glyphs& g, left_out_counts& left_out);

/// `first_stave`: index of the part's first staff. At an offset the direction stands there.
void add_direction(measure_block& b, std::size_t first_stave, const direction& x,
                   measure_position at, const glyphs& g, left_out_counts& left_out);
void add_harmony(measure_block& b, std::size_t first_stave, const harmony& x, measure_position at,
                 const glyphs& g);
void add_figures(measure_block& b, std::size_t first_stave, const figured_bass& x,
                 measure_position at, const glyphs& g);
void add_barline(measure_block& b, const barline& x, measure_position at,
                 left_out_counts& left_out);

/// What of clef, key and time is not drawn by `signature.hpp`.
void add_attributes(const attributes& a, left_out_counts& left_out);
/// An element without a type of its own.
void add_fragment(const fragment& x, left_out_counts& left_out);

/// "C", "F♯m7", "Bb7(b9)/D"
std::string chord_symbol(const harmony& x, const glyphs& g);

/// One line without control characters.
std::string one_line(std::string_view text);

}  // namespace fermata::io::staff
