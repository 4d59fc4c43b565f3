#pragma once

#include "core/lang/value/music.hpp"
#include "core/score/model/score.hpp"

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace fermata {

/// What the notes of a measure say of the tuplets that they stand in, for putting those together.

/// One item before it becomes music: its place and content.
struct source_item {
  measure_position at;
  const measure_content* content;
};

using source_items = std::vector<source_item>;
inline const chord_rest* rhythm_of(const source_item& x) {
  return std::get_if<chord_rest>(x.content);
}

/// Product of the tuplets around.
struct tuplet_ratio {
  int actual = 1, normal = 1;
};

/// The bracket of that number that starts or stops at a note, or null.
const spanner* bracket(const chord_rest& x, span_end e, int number);
/// Takes that bracket's end off a note; false when it has none.
bool take_bracket(chord_rest& x, span_end e, int number);
/// A bracket of that number begins among the items [i, end).
bool holds_bracket(const source_items& items, std::size_t i, std::size_t end, int number);

/// One past the last item of the tuplet that begins at `i`, if one does. `depth`: how many brackets
/// are around, whose ratio is `around`.
std::optional<std::size_t> tuplet_end(const source_items& items, std::size_t i, std::size_t last,
                                      tuplet_ratio around, int depth);
/// One past the last of the notes that last as in a tuplet but stand under no bracket; nothing for
/// fewer than two.
std::optional<std::size_t> unmarked_end(const source_items& items, std::size_t i, std::size_t last,
                                        tuplet_ratio around);

/// The number that a bracket shows in `element` (tuplet-actual, tuplet-normal), if it says one.
std::optional<int> number_in(const preserved& extra, std::string_view element);
/// Nested brackets say their ratio by themselves; only what goes beyond that is kept.
preserved without_ratio(const preserved& extra, const tuplet_music& t, bool nested);

/// The note value that all ratios of the items count, if they agree.
std::optional<note_value> common_unit(const source_items& items);
/// The normal types of a tuplet's notes, note by note where they are not what they would get.
std::vector<music_ptr> with_types(const std::vector<music_ptr>& items,
                                  const std::vector<std::optional<note_value>>& wanted,
                                  const std::vector<std::optional<note_value>>& got,
                                  std::size_t& n);

}  // namespace fermata
