#pragma once

#include "core/score/model/draft.hpp"
#include "core/score/model/spanners.hpp"

#include <cstddef>
#include <utility>
#include <vector>

namespace fermata {

/// A current spanner, start and stop.
using standing_line = std::pair<spanner_end_place, spanner_end_place>;

/// Simultaneous spanners from different sources, with the same kind and number and in one voice (on
/// one staff, if they are not on notes), would be read incorrectly: those of `came` get a number
/// that is free at that time. Spanners from one source are distinguished already, or follow each
/// other. Pedals have no numbers: those of `came` that cannot be distinguished are returned.
std::vector<standing_line> renumber_overlapping_spanners(score_draft& draft, std::size_t p,
                                                         const std::vector<standing_line>& stayed,
                                                         std::vector<standing_line> came);

}  // namespace fermata
