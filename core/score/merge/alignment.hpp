#pragma once

#include "core/score/model/score.hpp"

#include <cstddef>
#include <utility>
#include <vector>

namespace fermata {

/// Which parts and measures of two states of one score are the same places, whatever was inserted,
/// deleted or written anew in between: what a merge needs to know.

/// Pairs of indices, ascending on the left side.
using index_pairs = std::vector<std::pair<std::size_t, std::size_t>>;

/// Parts by id and name; those that are left by name, then by id (one of them was renamed, or got
/// an id that was free).
index_pairs align_parts(const score& a, const score& b);

/// The measures of all parts together, as one column per measure: an insertion in a part that rests
/// is found where the others play. Columns that are equal in most parts are the same place; between
/// them, where there are as many on both sides, those that stand at the same place are. Ascending
/// on both sides.
index_pairs align_columns(const score& a, const score& b, const index_pairs& parts);

/// What key, time and clef say at the beginning of a measure, in one.
attributes opening_of(const measure& m);

/// The same measure apart from its number and its opening, which move to other measures when one
/// is inserted or deleted in front of it.
bool same_body(const measure& a, const measure& b);

/// Whether something sounds in it.
bool has_notes(const measure& m);

/// The length of the longest part.
std::size_t columns_of(const score& s);

}  // namespace fermata
