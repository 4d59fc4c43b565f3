#pragma once

#include "core/score/merge/merge.hpp"
#include "core/session/timeline/state.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace fermata {

/// Taking what another branch has into the current one.

/// The score that the current branch and another one have in common: what the last merge between
/// them left so that was not taken back; before the first one, the score where they parted (of two
/// that are no parent and child, the earlier one of their ways apart).
score_ptr common_base(const session_state& s, const branch& other);

/// Whether a merge was made between these two, in whichever direction.
bool is_between(const branch_merge& m, std::string_view a, std::string_view b);

/// What both have in common when measures of `theirs` (from 1, inclusive; up to
/// `branch_merged::all_measures`: everything) have been taken.
score_ptr common_after_merge(const score_ptr& base, const score_ptr& theirs, int first, int last);

/// Measures of another branch, by their numbers there, as `:merge` names them (`parse_measures`).
/// An end of a range that is only in the score `ours` is what went there. Errors: neither has it.
result<merge_request> measures_to_merge(std::string_view text, const score& theirs,
                                        const score& ours);

/// The merged score of the current branch; without measures all of the other one (merge.hpp). Never
/// with conflicts. Errors: conflicts, with the measures and what to type; the other branch has no
/// such measures; they cannot be had without others; there is nothing to take.
result<merged_score> merged(const session_state& s, const branch& other,
                            const merge_request& request);

/// "took 2 measures and the part Violin from alt", and what else there is to say.
std::string merge_report(const merged_score& merged, const std::string& from);

}  // namespace fermata
