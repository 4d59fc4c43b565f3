#pragma once

#include "core/score/model/draft.hpp"
#include "core/score/model/lines.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace fermata {

/// Hairpins on one staff that overlap are told apart by numbers, which nobody wants to count. One
/// that is written without a number has none (0) until it stands in a part: then it gets the lowest
/// that no other hairpin has at that time on its staff.
///
/// What is written with numbers is joined by these. Of the other ends a stop closes the hairpin
/// that was opened last in its voice, else on its staff; a hairpin that nothing closes is followed
/// by the next. One that stood there alone and comes under another by the stop it now gets is
/// numbered anew.

/// MusicXML's number-level.
constexpr std::uint8_t most_hairpins = 16;

bool has_unnumbered_hairpin(const measure& m);

/// The same for ends of lines in order of time, wherever they come from.
void number_hairpins(std::vector<line_end_place>& ends);

/// A sign of a hairpin and the number it gets; more than `most_hairpins` where there are too many.
struct hairpin_number {
  std::size_t measure, item, index;  ///< index into `direction::types`
  std::uint8_t number;
};
/// All that do not have it yet.
std::vector<hairpin_number> hairpin_numbers(const part& p);

void set_number(measure& m, const hairpin_number& x);

/// Numbers what was written into a draft; beyond `most_hairpins` all have the last number.
void number_new_hairpins(score_draft& draft);

/// The way back: without the numbers that would be given again.
part without_hairpin_numbers(const part& p);
measure without_hairpin_numbers(const measure& m);

}  // namespace fermata
