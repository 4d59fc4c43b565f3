#pragma once

#include "core/score/merge/alignment.hpp"
#include "core/score/merge/merge.hpp"
#include "core/score/merge/merge_range.hpp"

#include <set>

namespace fermata {

/// The plan of a merge, before any music is moved: the source of each part and measure. Internal to
/// merge.cpp.

/// A part of any of the three states.
struct merged_part {
  std::optional<std::size_t> base, ours, theirs;
  bool stays = true;
  std::string name;
  /// Taken unchanged from the side that has it.
  bool is_theirs() const { return !ours; }
};

/// A measure of all parts in the merged score.
struct merged_column {
  std::size_t base = nowhere, ours = nowhere, theirs = nowhere;  ///< its index on each side
  std::set<std::size_t> from_theirs;  ///< parts in which theirs replaces ours
  std::size_t next_base = 0, next_ours = 0, next_theirs = 0;  ///< the next measures on each side
};

struct merge_plan {
  std::vector<merged_part> parts;
  std::vector<merged_column> columns;
  /// The index of each measure of the base on each side; or nowhere.
  std::vector<std::size_t> base_in_ours, base_in_theirs;
  merged_score said;  ///< all but the score
};

result<merge_plan> plan_merge(const score& base, const score& ours, const score& theirs,
                              const merge_request& request);

}  // namespace fermata
