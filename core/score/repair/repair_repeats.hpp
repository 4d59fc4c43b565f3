#pragma once

#include "core/score/model/draft.hpp"

#include <cstddef>
#include <set>
#include <vector>

namespace fermata {

/// Repairs of repeat signs, endings and the final barline after an edit.

/// Before the measures in `going` are erased from part `p`, which is still as in `before`: signs on
/// them that enclose remaining measures move to these. If a first ending is erased and none remains
/// that leads back, the repeat is removed with it; remaining endings are renumbered. The final
/// barline of the part stays at its end.
void keep_repeats(score_draft& draft, std::size_t p, const part& before,
                  const std::set<std::size_t>& going);

/// Before `measures` replace measures [first, first + count) of part `p`: they get the existing
/// barlines where they have none of their own, and in the returned score the signs that would be
/// lost with surplus old measures are on remaining ones.
score_ptr keep_barlines(const score_ptr& s, std::size_t p, std::size_t first, std::size_t count,
                        std::vector<measure>& measures);

}  // namespace fermata
