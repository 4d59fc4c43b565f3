#pragma once

#include "core/lang/music.hpp"

#include <vector>

namespace fermata {

/// Music whose measures hold what is written before them: a key, a break or a tempo in front of a
/// measure (or of a repeat) stands at the measure's beginning, as the score has it. Key, time and
/// clef before the parts of a score stand in each part. So measures can be put into another order
/// without losing what belongs to them. Barlines behind the last measure stay there.
music_ptr with_marks_in_measures(const music_ptr& m);
/// Items one after another.
std::vector<music_ptr> with_marks_in_measures(const std::vector<music_ptr>& items);

/// How many items at the end are barlines behind the last measure.
std::size_t closing_barlines(const std::vector<music_ptr>& items);

}  // namespace fermata
