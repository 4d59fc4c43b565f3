#pragma once

#include "core/lang/value/music.hpp"
#include "core/score/model/score.hpp"

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace fermata {

/// What the notes of a measure tell about their tuplets, for reconstructing these.

/// One item before it becomes music: its position and content.
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
/// Removes that bracket's end from a note; false if it has none.
bool take_bracket(chord_rest& x, span_end e, int number);
/// Whether a bracket with that number starts among the items [i, end).
bool holds_bracket(const source_items& items, std::size_t i, std::size_t end, int number);

/// One past the last item of the tuplet that starts at `i`, if one does. `depth`: the number of
/// enclosing brackets, with the total ratio `around`.
std::optional<std::size_t> tuplet_end(const source_items& items, std::size_t i, std::size_t last,
                                      tuplet_ratio around, int depth);
/// One past the last of the notes with tuplet lengths but without a bracket; empty for fewer than
/// two.
std::optional<std::size_t> unmarked_end(const source_items& items, std::size_t i, std::size_t last,
                                        tuplet_ratio around);

/// The number that a bracket shows in `element` (tuplet-actual, tuplet-normal), if any.
std::optional<int> number_in(const preserved& extra, std::string_view element);
/// Nested brackets imply their ratio; only differences from that are kept.
preserved without_ratio(const preserved& extra, const tuplet_music& t, bool nested);

/// The note value counted by all ratios of the items, if they agree.
std::optional<note_value> common_unit(const source_items& items);
/// The normal types of a tuplet's notes, by note, where they differ from the default.
std::vector<music_ptr> with_types(const std::vector<music_ptr>& items,
                                  const std::vector<std::optional<note_value>>& wanted,
                                  const std::vector<std::optional<note_value>>& got,
                                  std::size_t& n);

}  // namespace fermata
