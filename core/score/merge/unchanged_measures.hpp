#pragma once

#include "core/score/model/delta.hpp"

#include <vector>

namespace fermata {

/// A change of a part without the measures that stand in it and are what they were: where the first
/// measure goes, the next one says key, metre and clef in its place; where a key comes, the measure
/// behind says the former one again; a key may be said again that holds already. What is told of a
/// change to a musician, and taken of it, is the rest.
///
/// Applied it gives the same music, but for what says key, metre and clef where. `before` and
/// `after`: the part on both sides of it.
part_change without_unchanged(const part_change& change, const part& before, const part& after);

/// Where a part loses a measure of rest among others like it, it may be any of them. With a part
/// that loses notes it is the one in the same place: a measure of all parts goes at once. `changes`
/// are without what is unchanged, of parts of `s`.
void put_deletions_together(std::vector<part_change>& changes, const score& s);

}  // namespace fermata
