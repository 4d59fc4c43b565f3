#pragma once

#include "core/result.hpp"
#include "core/session/timeline/state.hpp"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace fermata {

/// What happens to a session, as data. Nothing else changes a `session_state`: the actor, the
/// journal on disk, loading and tests all use the same `apply`. The journal of a session is the
/// list of its transitions; folding it from the empty session gives the session.

/// An entry joins the timeline and what it changed is changed. One that came from an evaluation and
/// changed something becomes a step for `:undo`, and what could be redone is forgotten.
struct entry_committed {
  entry_ptr entry;
  /// What the entry's deltas give, when the one who made the event has it at hand: saves working it
  /// out again. Never written to the journal.
  score_ptr score = nullptr;
  environment_ptr env = nullptr;
};

/// Words wait for the next Enter.
struct message_queued {
  queued_message message;
};

/// They were shown; the entry with their content is in the same transition.
struct message_shown {
  std::int64_t ticket = 0;
};

/// A remote evaluation waits for the musician.
struct proposal_made {
  proposal made;
};

/// The musician has been told of it.
struct proposal_announced {
  std::int64_t number = 0;
};

/// Accepted or rejected.
struct proposal_resolved {
  std::int64_t number = 0;
  bool accepted = false;
  std::string reason;  ///< of a rejection
};

/// The last step was taken back: it can be redone now. The change itself is in the entry of the
/// same transition, as it is for `redone`.
struct undone {
  std::int64_t entry = 0;
};

/// The step that was taken back last was made again.
struct redone {
  std::int64_t entry = 0;
};

/// What clients may do. Without a client: for all that have none of their own. Without a policy:
/// what was said of this client holds no more, and it may do what all may.
struct policy_changed {
  std::string client;
  std::optional<remote_policy> policy = remote_policy::ask;
  bool for_everybody = false;  ///< also those that have one of their own, while it lasts
};

/// `:set`. Empty: back to the default.
struct setting_changed {
  std::string name;
  std::optional<std::string> value;
};

/// A new name, or new tags.
struct meta_changed {
  std::optional<std::string> name;
  std::optional<std::vector<std::string>> tags;
};

/// The change of the entry in the same transition can be taken back with `:undo`, as that of an
/// evaluation can; what could be redone is forgotten.
struct step_made {};

/// A branch begins. Its head is given as what has to be done to the current one.
struct branch_made {
  std::string name;
  std::int64_t from = 0;  ///< the entry after which it leaves the branch that was current there
  timestamp made;
  score_delta delta;
  environment_delta env_change;
};

/// Another branch is current. The entry of the same transition leads from the old head to its own.
struct branch_switched {
  std::string name;
};

/// Measures of a branch were taken into the current one (by the entry of the same transition): both
/// have them in common now. Counted from 1 as they stand there, inclusive; up to `all_measures`:
/// everything that is there.
struct branch_merged {
  std::string name;
  static constexpr int all_measures = std::numeric_limits<int>::max();
  int first = 1, last = 1;
};

/// A client has been answered what the same transition did.
struct answer_given {
  kept_answer answer;
};

using journal_event =
    std::variant<entry_committed, message_queued, message_shown, proposal_made, proposal_announced,
                 proposal_resolved, undone, redone, policy_changed, setting_changed, meta_changed,
                 step_made, branch_made, branch_switched, branch_merged, answer_given>;

/// Events that happen together or not at all: one line of the journal. At most one of them commits
/// an entry.
struct transition {
  std::vector<journal_event> events;
};

/// The session after the event. Errors: an index that is not the next one, a change that does not
/// fit the score, a number that is not there: the journal is damaged or belongs to another session.
[[nodiscard]] result<session_state> apply(session_state s, const journal_event& e);
[[nodiscard]] result<session_state> apply(session_state s, const transition& t);

/// The entry that a transition commits; null when there is none.
entry_ptr entry_of(const transition& t);

/// What a transition means for observers: "entries" "queued" "proposal" "score" "settings", several
/// separated by blanks.
std::string kinds_of(const transition& t);
std::string kinds_of(const std::vector<transition>& together);

}  // namespace fermata
