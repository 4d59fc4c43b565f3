#pragma once

#include "core/score/merge/merge_plan.hpp"
#include "core/score/model/walk.hpp"

namespace fermata {

/// Key, time signature, clef, transposition and staves of a measure in a merged score. Internal to
/// merge.cpp.
///
/// A side that does not have the measure also counts: by its changes before it. Its deletions
/// before it are not such changes: an edit that deletes a measure keeps the context of what
/// follows, by specifying it in the next remaining measure.

/// A part on one side, and the index there of a measure of the merged score.
struct side_of_part {
  const part& own;
  std::size_t measure, next;                ///< nowhere: before `next`
  const std::vector<std::size_t>& of_base;  ///< index of each measure of the base
};

/// `base` is null for a part that it does not have: then ours takes precedence.
part_state merged_state(const part* base, const side_of_part& ours, const side_of_part& theirs,
                        const merged_column& column);

/// `a` without changes that `wanted` does not require.
attributes without_others(attributes a, const part_state& wanted);

}  // namespace fermata
