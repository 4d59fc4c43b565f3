#pragma once

#include "core/lang/evaluation/call.hpp"
#include "core/lang/transform/copying.hpp"
#include "core/lang/value/music.hpp"

#include <functional>
#include <optional>
#include <vector>

namespace fermata {

/// What the forms that change music or pitches have in common: they take values of any number and
/// depth, and give back as much.

/// Stops when the evaluation is to.
copying copying_for(call& c);

/// What a transformation does to a pitch and to music. Lists are done item by item.
struct transformation {
  std::function<pitch(const pitch&)> of_pitch;  ///< none: a pitch by itself is refused
  std::function<result<music_ptr>(const music_ptr&)> of_music;
};

/// Each of `values`, the remaining arguments of the call, changed.
result<value> all_transformed(call& c, const std::vector<value>& values, const transformation& t);

/// A transformation in which what one value says holds for those behind it, as in a seq of them
/// all: a key that stands in the first measure is that of the second.
struct row_transformation {
  /// Where there are only pitches; among music they are notes of the row.
  std::function<pitch(const pitch&)> of_pitch;
  /// Answers one item for each.
  std::function<result<std::vector<music_ptr>>(const std::vector<music_ptr>&)> of_row;
};
result<value> all_transformed(call& c, const std::vector<value>& values,
                              const row_transformation& t);

/// One value itself; several as a seq when they are music, else as a list.
value together(std::vector<value> values);

/// All values are music, lists of it spread.
std::optional<std::vector<music_ptr>> as_music(const std::vector<value>& values);

/// The music of a call that cannot do without any.
result<std::vector<music_ptr>> music_given(call& c);

/// The same, to be written `times` times, which counts before it is done. A seq alone stands for
/// its items.
result<std::vector<music_ptr>> motif_given(call& c, std::size_t times);

}  // namespace fermata
