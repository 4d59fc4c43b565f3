#pragma once

#include "core/lang/value/music.hpp"
#include "core/result.hpp"

#include <vector>

namespace fermata {

/// Music in which marks before a measure are moved into it: a key, a break or a tempo before a
/// measure (or a repeat) goes to the measure's start, as in a score. Key, time and clef before the
/// parts of a score go into each part. So measures can be reordered without losing what belongs to
/// them. Barlines after the last measure stay there.
///
/// Staves and voices in layers share one sequence of measures, keys and times: they are written out
/// as by the compiler, and so is a part with measures and loose notes. The syllables of verses are
/// put on their notes. Errors: those of the compiler.

/// Which layers without measures stay as they are.
enum class kept_layers {
  even,  ///< equally long ones without changes: what sounds together stays together
  /// All with a constant time signature: each is a row of its own. Others are an error
  /// (`misplaced`), since their measures do not exist.
  any_length
};

[[nodiscard]] result<music_ptr> with_marks_in_measures(const music_ptr& m,
                                                       kept_layers kept = kept_layers::even);
/// Items in sequence.
[[nodiscard]] result<std::vector<music_ptr>> with_marks_in_measures(
    const std::vector<music_ptr>& items, kept_layers kept = kept_layers::even);

/// Whether `m` is a barline that ends the previous measure.
bool ends_measure(const music_ptr& m);
/// How many items at the end are barlines after the last measure.
std::size_t closing_barlines(const std::vector<music_ptr>& items);

}  // namespace fermata
