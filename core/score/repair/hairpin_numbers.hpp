#pragma once

#include "core/score/model/draft.hpp"
#include "core/score/model/spanners.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace fermata {

/// Overlapping hairpins on one staff are distinguished by numbers, which users should not have to
/// assign. A hairpin written without a number has none (0) until it is in a part: then it gets the
/// lowest number that no other hairpin has at that time on its staff.
///
/// Ends with numbers are paired by these. Of the others, a stop closes the hairpin that was opened
/// last in its voice, otherwise on its staff; a hairpin that is never closed ends where the next
/// one starts. An existing unpaired hairpin that overlaps another because of a new stop is
/// renumbered.

/// MusicXML's number-level.
constexpr std::uint8_t most_hairpins = 16;

bool has_unnumbered_hairpin(const measure& m);

/// The same for ends of spanners in order of time, from any source.
void number_hairpins(std::vector<spanner_end_place>& ends);

/// A hairpin sign and its number; more than `most_hairpins` if there are too many.
struct hairpin_number {
  std::size_t measure, item, index;  ///< index into `direction::types`
  std::uint8_t number;
};
/// All signs without a number.
std::vector<hairpin_number> hairpin_numbers(const part& p);

void set_number(measure& m, const hairpin_number& x);

/// Numbers the new signs of a draft; beyond `most_hairpins` all have the last number.
void number_new_hairpins(score_draft& draft);

/// The inverse: removes the numbers that would be assigned again.
part without_hairpin_numbers(const part& p);
measure without_hairpin_numbers(const measure& m);

}  // namespace fermata
