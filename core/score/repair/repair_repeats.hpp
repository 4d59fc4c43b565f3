#pragma once

#include "core/score/model/draft.hpp"

#include <cstddef>
#include <set>
#include <vector>

namespace fermata {

/// What an edit owes to repeat signs, endings and the final barline.

/// Before the measures in `going` are erased from part `p`, which is still as in `before`: signs
/// that stand on them and enclose measures that stay move to those. A first ending that goes takes
/// the repeat with it when none is left to lead back; endings that stay are counted anew. The final
/// barline of the part stays at its end.
void keep_repeats(score_draft& draft, std::size_t p, const part& before,
                  const std::set<std::size_t>& going);

/// Before `measures` take the place of measures [first, first + count) of part `p`: they get the
/// barlines that stand there, where they bring none themselves, and the score that is answered has
/// the signs that would be lost with the surplus of the old ones on those that stay.
score_ptr keep_barlines(const score_ptr& s, std::size_t p, std::size_t first, std::size_t count,
                        std::vector<measure>& measures);

}  // namespace fermata
