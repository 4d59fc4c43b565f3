#pragma once

#include "core/score/model/draft.hpp"

#include <cstddef>

namespace fermata {

/// Repairs of tuplet brackets after an edit. After items in measures [first, end) of `before` were
/// changed, removed or overwritten, while the measures kept their positions:
///
/// - What replaced the first or last note of a tuplet and has the same ratio gets its end of the
///   bracket.
/// - Inside an existing bracket, a bracket that only repeats its ratio is removed; others get their
///   own number, since numbers distinguish brackets that are open at the same time.
/// - Every bracket has both ends, as `repair_lines` ensures for all spanners: it is called here.
void repair_tuplets(score_draft& draft, std::size_t p, const part& before, std::size_t first,
                    std::size_t end);

}  // namespace fermata
