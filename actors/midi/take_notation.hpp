#pragma once

#include "core/score/model/score.hpp"
#include "io/store/take_file.hpp"

#include <string>

namespace fermata::actors {

/// Fermata text that adds the notation of a take to a score, at its place: in the measures of a part,
/// at the end of a part, or as a new part when it was played during certain measures. Without a
/// place it is appended, measures if there is one part, otherwise the parts with theirs.
///
/// A take of several parts has no place. One for certain measures has exactly as many: rests are
/// added, and measures after them are left out; time signature, key and tempo are those of the
/// score. `to`: the score; null: it is not known, measures are named by position.
std::string text_that_adds(const score& notation, const io::take_place& place, int take,
                           const score_ptr& to);

/// Whether the part for which a take was recorded has one staff.
bool is_for_one_staff(const io::take_place& place, const score_ptr& to);

}  // namespace fermata::actors
