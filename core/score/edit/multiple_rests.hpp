#pragma once

#include "core/score/model/draft.hpp"

#include <cstddef>
#include <vector>

namespace fermata {

/// A rest drawn as one over several measures (`attributes::multiple_rest`, MusicXML's
/// <multiple-rest>) stands where nothing sounds.

/// Of a rest drawn over `count` measures from `first` on: where something sounds it ends, and what
/// is left behind it of two measures and more is drawn as one again.
void divide_multiple_rest(std::vector<measure>& measures, std::size_t first, std::size_t count);

/// The same in the parts of a draft, where music was added or measures went. One that begins inside
/// another one is joined with it.
void divide_multiple_rests(score_draft& draft);

/// After measures [first, first + lost) of `before` became the measures [first, first + put) of the
/// draft: a rest drawn over them has the length that it has now.
void stretch_multiple_rests(score_draft& draft, std::size_t p, const part& before,
                            std::size_t first, std::size_t lost, std::size_t put);

}  // namespace fermata
