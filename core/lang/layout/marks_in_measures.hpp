#pragma once

#include "core/lang/value/music.hpp"
#include "core/result.hpp"

#include <vector>

namespace fermata {

/// Music whose measures hold what is written before them: a key, a break or a tempo in front of a
/// measure (or of a repeat) stands at the measure's beginning, as the score has it. Key, time and
/// clef before the parts of a score stand in each part. So measures can be put into another order
/// without losing what belongs to them. Barlines behind the last measure stay there.
///
/// Staves and voices that lie over each other as layers share one line of measures, keys and times:
/// they are written out as the compiler would, and so is a part that has measures and loose notes.
/// The syllables of verses stand on their notes. Errors: those of the compiler.

/// Which layers of notes alone stay as they are.
enum class kept_layers {
  even,  ///< equally long ones in which nothing changes: what sounds together stays together
  /// All in which the metre stays: each is a row of its own. Others are refused (`misplaced`), as
  /// nobody wrote the measures that would be left of them.
  any_length
};

[[nodiscard]] result<music_ptr> with_marks_in_measures(const music_ptr& m,
                                                       kept_layers kept = kept_layers::even);
/// Items one after another.
[[nodiscard]] result<std::vector<music_ptr>> with_marks_in_measures(
    const std::vector<music_ptr>& items, kept_layers kept = kept_layers::even);

/// Whether `m` is a barline that ends the measure before it.
bool ends_measure(const music_ptr& m);
/// How many items at the end are barlines behind the last measure.
std::size_t closing_barlines(const std::vector<music_ptr>& items);

}  // namespace fermata
