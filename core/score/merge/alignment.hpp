#pragma once

#include "core/score/model/score.hpp"

#include <cstddef>
#include <utility>
#include <vector>

namespace fermata {

/// The corresponding parts and measures of two states of one score, across insertions, deletions
/// and rewritten measures, as needed by a merge.

/// Pairs of indices, ascending on the left side.
using index_pairs = std::vector<std::pair<std::size_t, std::size_t>>;

/// Parts by id and name; the remaining ones by name, then by id (one of them was renamed, or got a
/// free id).
index_pairs align_parts(const score& a, const score& b);

/// The measures of all parts together, one column per measure, so that an insertion in a part that
/// rests is found by the parts that play. Columns that are equal in most parts correspond; between
/// them, if there are as many on both sides, those at the same position correspond. Ascending on
/// both sides.
index_pairs align_columns(const score& a, const score& b, const index_pairs& parts);

/// Key, time and clef at the start of a measure, joined.
attributes opening_of(const measure& m);

/// Equal measures apart from number and initial attributes, which move to other measures when a
/// measure is inserted or deleted before it.
bool same_body(const measure& a, const measure& b);

/// Whether there is a note in it.
bool has_notes(const measure& m);

/// The length of the longest part.
std::size_t columns_of(const score& s);

}  // namespace fermata
