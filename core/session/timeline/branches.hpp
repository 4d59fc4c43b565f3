#pragma once

#include "core/session/timeline/state.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace fermata {

/// Branches: alternative lines of work in one session. Each has its own score, environment and undo
/// steps; there is one timeline without gaps. Switching to another branch is an entry whose change
/// leads from one score to the other, so that the scores after entries 1, 2, 3 ... form one chain,
/// whatever branch they belong to (docs/decisions/0005).

/// The branch that was current after this entry; 0: before the first one.
std::string branch_at(const session_state& s, std::int64_t entry);

/// The state of a session after an entry, with its branch: found by reverting the later entries one
/// by one. Errors: there is no such entry; one in between cannot be read from disk.
struct past_state {
  score_ptr score;
  environment_ptr env;
};
result<past_state> state_after(const session_state& s, std::int64_t entry);

/// The entries that made the current score: those of the current branch, and those of each parent
/// up to the point where the next branch diverged. Both ends inclusive, newest first.
struct entry_stretch {
  std::int64_t first = 0, last = 0;
  std::string branch;
};
std::vector<entry_stretch> lineage(const session_state& s);

/// The same for any branch, as it was after entry `last`.
std::vector<entry_stretch> lineage(const session_state& s, std::string name, std::int64_t last);

/// Whether a branch can have this name: letters, digits, `-`, `_`, `.`, not only digits, at most 64
/// bytes.
bool is_branch_name(std::string_view text);

}  // namespace fermata
