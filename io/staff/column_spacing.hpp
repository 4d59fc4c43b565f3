#pragma once

#include "io/staff/glyphs.hpp"
#include "io/staff/layout.hpp"

#include <cstddef>

namespace fermata::io::staff {

/// Gives what stands in a measure its columns: room for heads, accidentals, dots and syllables, and
/// behind each moment a gap that grows with the time to the next; `end` is the length of the
/// measure. A syllable wider than half of the terminal is cut and counted as left out, since no
/// system can be broken inside it.
void place_columns(measure_block& b, quarters end, const glyphs& g, std::size_t columns,
                   left_out_counts& left_out);

}  // namespace fermata::io::staff
