#pragma once

#include "core/score/delta.hpp"

#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace fermata {

/// A stretch of one part that a change lies in: measures counted from 1, inclusive, as the score
/// was after the change (where something was deleted: the measure that came to stand there).
struct touched_stretch {
  std::string_view part_id, part_name;  ///< point into the delta
  int first = 1, last = 1;
};

/// Everything a change lies in, in the order of the delta. A change of a part's name or of the
/// score's title lies in no measure and is not listed.
std::vector<touched_stretch> touched(const score_delta& d);

/// Whether the change touches this part (by id or name, case-insensitive; empty: any) within these
/// measures (empty: anywhere, the part's own name and place included).
bool touches(const score_delta& d, std::optional<std::string_view> part,
             std::optional<std::pair<int, int>> measures);

/// Where the measure with this index (from 0) of the part was before the change: nothing when the
/// change made it. `index` counts after the change.
std::optional<std::size_t> index_before(const part_change& change, std::size_t index);

}  // namespace fermata
