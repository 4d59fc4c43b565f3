#pragma once

#include "core/score/model/draft.hpp"
#include "core/score/model/lines.hpp"

#include <cstddef>
#include <utility>
#include <vector>

namespace fermata {

/// A line as it stands now, start and stop.
using standing_line = std::pair<line_end_place, line_end_place>;

/// Lines of different origin that run at the same time, of one kind and number and in one voice (on
/// one staff, if they are not on notes), would be read as others: those of `came` get a number that
/// no line at that time has. Lines of one origin are told apart already, or stand one after the
/// other. Pedals have no numbers: those of `came` that cannot be told apart are returned.
std::vector<standing_line> renumber_overlapping_lines(score_draft& draft, std::size_t p,
                                                      const std::vector<standing_line>& stayed,
                                                      std::vector<standing_line> came);

}  // namespace fermata
