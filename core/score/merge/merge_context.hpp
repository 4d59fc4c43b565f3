#pragma once

#include "core/score/merge/merge_plan.hpp"
#include "core/score/model/walk.hpp"

namespace fermata {

/// What key, metre, clef, transposition and staves hold in a measure of a merged score. Internal to
/// merge.cpp.
///
/// A side that does not have the measure has something to say of it, too: what it changed in front
/// of it. What it deleted in front of it is no such change: an edit that deletes a measure leaves
/// what holds behind it as it was, by saying it in the next one that stays.

/// A part on one side, and where a measure of the merged score is there.
struct side_of_part {
  const part& own;
  std::size_t measure, next;                ///< nowhere: in front of `next`
  const std::vector<std::size_t>& of_base;  ///< where each measure of the base stands
};

/// `base` is null for a part that it does not have: then what ours says goes first.
part_state merged_state(const part* base, const side_of_part& ours, const side_of_part& theirs,
                        const merged_column& column);

/// `a` without the changes to anything else than what `wanted` says.
attributes without_others(attributes a, const part_state& wanted);

}  // namespace fermata
