#pragma once

#include "core/session/state.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace fermata {

/// Branches: several lines of work in one session. Each has a score, an environment and undo steps
/// of its own; the timeline is one and has no gaps. Changing to another branch is an entry whose
/// change leads from the one score to the other, so that the scores after the entries 1, 2, 3 ...
/// form one chain, whatever branch they belong to (docs/decisions/0005).

/// The branch that was current after this entry; 0: before the first one.
std::string branch_at(const session_state& s, std::int64_t entry);

/// Where a session stood after an entry, its branch included: found by taking back what came after
/// it, entry by entry. Errors: there is no such entry; one in between cannot be read from disk.
struct past_state {
  score_ptr score;
  environment_ptr env;
};
result<past_state> state_after(const session_state& s, std::int64_t entry);

/// The entries that made the current score what it is: those of the current branch, and of each
/// branch before it those up to where it was left. Both ends inclusive, newest first.
struct entry_stretch {
  std::int64_t first = 0, last = 0;
  std::string branch;
};
std::vector<entry_stretch> lineage(const session_state& s);

/// The score that the current branch and another one have in common; where they are no parent and
/// child, that of the earlier one of their ways apart.
score_ptr common_base(const session_state& s, const branch& other);

/// Measures of a branch taken into the current score, part by part, by number. With the common base
/// in sight: what only the other one changed is taken, what only this one changed stays, what both
/// changed is a conflict and refused, unless `theirs` takes everything as it is there.
struct merge_outcome {
  score_ptr score;
  std::size_t taken = 0;                 ///< measures, those of several parts counted once
  std::size_t kept = 0;                  ///< changed here only
  std::vector<std::string> whole_parts;  ///< that were not here
  std::vector<std::string> left_out;     ///< parts that only the other branch has
};
/// Errors: conflicts, with the measures; the other branch has no such measures; measures that would
/// leave a gap at the end; nothing to take. Without measures: all, and parts that are new there.
result<merge_outcome> merged(const session_state& s, const branch& other,
                             std::optional<std::pair<int, int>> measures, bool theirs);

/// `base` with those of these measures (from 1, inclusive) that are the same in both scores.
score_ptr with_common_measures(const score_ptr& base, const score& a, const score& b,
                               std::pair<int, int> measures);

/// Whether a branch can be called so: letters, digits, `-`, `_`, `.`, not a number alone, at most
/// 64 bytes.
bool is_branch_name(std::string_view text);

}  // namespace fermata
