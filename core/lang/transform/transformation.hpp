#pragma once

#include "core/lang/evaluation/call.hpp"
#include "core/lang/transform/copying.hpp"
#include "core/lang/value/music.hpp"

#include <functional>
#include <optional>
#include <vector>

namespace fermata {

/// Shared by the forms that transform music or pitches: they take any number of values, nested to
/// any depth, and return as many.

/// An error if the evaluation is to stop.
copying copying_for(call& c);

/// A transformation of a pitch and of music. Lists are transformed item by item.
struct transformation {
  std::function<pitch(const pitch&)> of_pitch;  ///< none: a bare pitch is an error
  std::function<result<music_ptr>(const music_ptr&)> of_music;
};

/// Each of `values`, the remaining arguments of the call, transformed.
result<value> all_transformed(call& c, const std::vector<value>& values, const transformation& t);

/// A transformation in which one value affects the later ones, as in a seq of all: a key in the
/// first measure is that of the second.
struct row_transformation {
  /// For pitches only; among music they are notes of the sequence.
  std::function<pitch(const pitch&)> of_pitch;
  /// Returns one item for each.
  std::function<result<std::vector<music_ptr>>(const std::vector<music_ptr>&)> of_row;
};
result<value> all_transformed(call& c, const std::vector<value>& values,
                              const row_transformation& t);

/// A single value itself; several as a seq if they are music, otherwise as a list.
value together(std::vector<value> values);

/// All values as music, lists of it expanded.
std::optional<std::vector<music_ptr>> as_music(const std::vector<value>& values);

/// The music of a call that requires some.
result<std::vector<music_ptr>> music_given(call& c);

/// The same, to be written `times` times, which is counted first. A single seq stands for its
/// items.
result<std::vector<music_ptr>> motif_given(call& c, std::size_t times);

}  // namespace fermata
