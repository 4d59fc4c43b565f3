#pragma once

#include "core/score/model/draft.hpp"

#include <cstddef>

namespace fermata {

/// What an edit owes to the brackets of tuplets. After items in measures [first, end) of `before`
/// were changed, taken or written over, while the measures kept their places:
///
/// - What took the place of the first or last note of a tuplet and divides time as it did gets its
///   end of the bracket.
/// - Inside a bracket that was there, one that only says the same ratio again goes; another one
///   gets a number of its own, as the brackets that are open at a time are told apart by it.
/// - Every bracket has both its ends, as `repair_lines` does for all lines: it is called here.
void repair_tuplets(score_draft& draft, std::size_t p, const part& before, std::size_t first,
                    std::size_t end);

}  // namespace fermata
