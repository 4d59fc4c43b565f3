#pragma once

#include "core/score/merge/merge.hpp"
#include "core/session/timeline/state.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace fermata {

/// Merging another branch into the current one.

/// The common score of the current branch and another one: the result of the last merge between
/// them that was not undone; before the first merge, the score where they diverged (for two
/// branches that are not parent and child, the earlier of the two points).
score_ptr common_base(const session_state& s, const branch& other);

/// Whether there was a merge between these two, in either direction.
bool is_between(const branch_merge& m, std::string_view a, std::string_view b);

/// The common score of both after measures of `theirs` have been merged (from 1, inclusive; up to
/// `branch_merged::all_measures`: everything).
score_ptr common_after_merge(const score_ptr& base, const score_ptr& theirs, int first, int last);

/// Measures of another branch, numbered as in that branch, as in `:merge` (`parse_measures`). An
/// end of a range that exists only in `ours` is a measure that was deleted there. Error: neither
/// has it.
result<merge_request> measures_to_merge(std::string_view text, const score& theirs,
                                        const score& ours);

/// The merged score of the current branch; without measures, the whole other branch (merge.hpp).
/// Never with conflicts. Errors: conflicts, with the measures and advice; the other branch has no
/// such measures; they cannot be merged without others; there is nothing to merge.
result<merged_score> merged(const session_state& s, const branch& other,
                            const merge_request& request);

/// "took 2 measures and the part Violin from alt", and further remarks.
std::string merge_report(const merged_score& merged, const std::string& from);

}  // namespace fermata
