#pragma once

#include "core/lang/layout/measure_order.hpp"
#include "core/lang/value/music.hpp"
#include "core/result.hpp"

#include <optional>
#include <string>
#include <vector>

namespace fermata {

/// Barlines of music that is put in another order. A repeat read backwards is a repeat of the same
/// measures, so its signs change places. Endings and jumps are another matter: what was played last
/// was not played twice, and no signs say so from the other end. Nor is there an ending before its
/// body, where a rotation might put it.

/// The error for music with endings, or with signs that lead elsewhere (segno, coda, da capo ...).
std::optional<error> order_that_cannot_turn(const std::vector<music_ptr>& items);
/// The same for music that is to change places with what stands beside it.
std::optional<error> order_that_cannot_rotate(const std::vector<music_ptr>& items);

/// What stands at the two edges of a measure.
struct edge_barlines {
  std::optional<barline> left, right;
  std::string number{};  ///< what the measure is called
};

/// Takes the barlines at the edges out of the measures.
std::vector<edge_barlines> without_barlines(std::vector<measure_music>& measures);

/// The barlines for the measures in reverse. Repeat signs enclose the same measures as before;
/// double bars stand between the same two; what stands at the very end stays there. In a whole part
/// a repeat without an end is an error (`misplaced`), in a passage its partner is elsewhere.
[[nodiscard]] result<std::vector<edge_barlines>> turned_barlines(
    const std::vector<edge_barlines>& bars, bool whole_part);

void set_barlines(std::vector<loose_measure>& measures, const std::vector<edge_barlines>& bars);

/// A barline that stands among notes, read from the other side.
barline turned(barline b);

/// Measures and repeats of measures (with their endings) as measures alone, with the signs that say
/// it; nothing when there is anything else among them.
std::optional<std::vector<music_ptr>> measures_with_repeat_signs(
    const std::vector<music_ptr>& items);

}  // namespace fermata
