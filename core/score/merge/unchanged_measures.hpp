#pragma once

#include "core/score/model/delta.hpp"

#include <vector>

namespace fermata {

/// A change of a part without measures that it contains but does not really change: when the first
/// measure is deleted, the next one specifies key, time signature and clef instead; when a key is
/// inserted, the measure after it restores the previous one; a key may be repeated. Only the rest
/// is shown to users and copied.
///
/// Applying it gives the same music, except for the measures that specify key, time signature and
/// clef. `before` and `after`: the part on both sides of it.
part_change without_unchanged(const part_change& change, const part& before, const part& after);

/// If a part loses a measure of rest among similar ones, it may be any of them. It is taken to be
/// the one at the same position as in a part that loses notes, since a measure is deleted from all
/// parts at once. `changes` are without what is unchanged, of parts of `s`.
void put_deletions_together(std::vector<part_change>& changes, const score& s);

}  // namespace fermata
