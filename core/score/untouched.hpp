#pragma once

#include "core/score/delta.hpp"

namespace fermata {

/// A change of a part without the measures that stand in it and are what they were: where the first
/// measure goes, the next one says key, metre and clef in its place; where a key comes, the measure
/// behind says the former one again; a key may be said again that holds already. What is told of a
/// change to a musician, and taken of it, is the rest.
///
/// Applied it gives the same music, but for what says key, metre and clef where. `before` and
/// `after`: the part on both sides of it.
part_change without_untouched(const part_change& change, const part& before, const part& after);

}  // namespace fermata
