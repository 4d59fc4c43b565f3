#pragma once

#include "core/score/model/draft.hpp"

#include <cstddef>
#include <vector>

namespace fermata {

/// A multi-measure rest (`attributes::multiple_rest`, MusicXML's <multiple-rest>) must cover
/// measures in which nothing sounds.

/// Divides a rest over `count` measures from `first`: it ends where something sounds, and a
/// remainder of two or more measures becomes a new one.
void divide_multiple_rest(std::vector<measure>& measures, std::size_t first, std::size_t count);

/// The same in the parts of a draft, where music was added or measures were deleted. One that
/// starts inside another is joined with it.
void divide_multiple_rests(score_draft& draft);

/// After measures [first, first + lost) of `before` became the measures [first, first + put) of the
/// draft: adjusts the length of a rest over them.
void stretch_multiple_rests(score_draft& draft, std::size_t p, const part& before,
                            std::size_t first, std::size_t lost, std::size_t put);

}  // namespace fermata
