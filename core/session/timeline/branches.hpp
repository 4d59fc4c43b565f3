#pragma once

#include "core/session/timeline/state.hpp"

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

/// The same for any branch, as it was after entry `last`.
std::vector<entry_stretch> lineage(const session_state& s, std::string name, std::int64_t last);

/// Whether a branch can be called so: letters, digits, `-`, `_`, `.`, not a number alone, at most
/// 64 bytes.
bool is_branch_name(std::string_view text);

}  // namespace fermata
