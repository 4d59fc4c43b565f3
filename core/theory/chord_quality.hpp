#pragma once

#include "core/music/interval.hpp"

#include <optional>
#include <string_view>
#include <vector>

namespace fermata {

/// The intervals above the root that the quality of a chord symbol asks for, ascending; nothing if
/// it cannot be read. A quality is a symbol or word of `chord_table()` or is put together from its
/// parts, in this order:
///
///   third      m min -   maj M Δ ^   dim ° o   ø   aug +   or none for major
///   extension  5 6 69 7 9 11 13   (9 and 13 bring the seventh and ninth, 11 both and the ninth)
///   any of     sus sus2 sus4   add2 add9 add11 ...   no3 no5 omit5   alt   maj7
///              b5 #5 b9 #9 #11 b13 (also + and - for the signs)
///
/// Parentheses, commas and spaces may stand anywhere. An altered degree replaces the natural one, a
/// second alteration of the same degree joins the first (7b9#9).
std::optional<std::vector<interval>> parse_chord_quality(std::string_view text);

}  // namespace fermata
