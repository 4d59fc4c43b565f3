#pragma once

#include "core/lang/layout/measure_order.hpp"
#include "core/lang/value/music.hpp"
#include "core/result.hpp"

#include <optional>
#include <string>
#include <vector>

namespace fermata {

/// Barlines of reordered music. A repeat in reverse is a repeat of the same measures, so its signs
/// exchange places. Endings and jumps have no reverse: the last ending is not played twice, and no
/// sign expresses that from the other end. Nor is an ending possible before its body, where a
/// rotation might put it.

/// The error for music with endings or jumps (segno, coda, da capo ...).
std::optional<error> irreversible_order(const std::vector<music_ptr>& items);
/// The same for music that changes places with adjacent music.
std::optional<error> order_that_cannot_rotate(const std::vector<music_ptr>& items);

/// The barlines at the two edges of a measure.
struct edge_barlines {
  std::optional<barline> left, right;
  std::string number{};  ///< the printed number of the measure
};

/// Removes the barlines at the edges of the measures.
std::vector<edge_barlines> without_barlines(std::vector<measure_music>& measures);

/// The barlines for the measures in reverse order. Repeat signs enclose the same measures as
/// before; double bars stay between the same two; the final barline stays at the end. In a whole
/// part an unpaired repeat is an error (`misplaced`), in a passage its partner is elsewhere.
[[nodiscard]] result<std::vector<edge_barlines>> turned_barlines(
    const std::vector<edge_barlines>& bars, bool whole_part);

void set_barlines(std::vector<loose_measure>& measures, const std::vector<edge_barlines>& bars);

/// A barline among notes, reversed.
barline turned(barline b);

/// Measures and repeats of measures (with their endings) as measures only, with the corresponding
/// signs; empty if there is anything else among them.
std::optional<std::vector<music_ptr>> measures_with_repeat_signs(
    const std::vector<music_ptr>& items);

}  // namespace fermata
