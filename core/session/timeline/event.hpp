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

/// The events of a session, as data. Nothing else changes a `session_state`: the actor, the journal
/// on disk, loading and tests all use the same `apply`. The journal of a session is the list of its
/// transitions; applying them to the empty session gives the session.

/// An entry joins the timeline, and its change is applied. If it is an evaluation with a change, it
/// becomes a step for `:undo`, and the redo steps are dropped.
struct entry_committed {
  entry_ptr entry;
  /// The result of the entry's deltas, if the creator of the event has it: spares computing it
  /// again. Never written to the journal.
  score_ptr score = nullptr;
  environment_ptr env = nullptr;
};

/// A message becomes pending.
struct message_queued {
  queued_message message;
};

/// A pending message was shown; the entry with its content is in the same transition.
struct message_shown {
  std::int64_t ticket = 0;
};

/// A client's evaluation becomes a proposal.
struct proposal_made {
  proposal made;
};

/// The user has been told of the proposal.
struct proposal_announced {
  std::int64_t number = 0;
};

/// A proposal was accepted or rejected.
struct proposal_resolved {
  std::int64_t number = 0;
  bool accepted = false;
  std::string reason;  ///< of a rejection
};

/// The last step was undone and can be redone. The change itself is in the entry of the same
/// transition, likewise for `redone`.
struct undone {
  std::int64_t entry = 0;
};

/// The last undone step was redone.
struct redone {
  std::int64_t entry = 0;
};

/// Policy for clients. Without a client: for all that have no policy of their own. Without a
/// policy: that of this client is removed, so that the general one applies.
struct policy_changed {
  std::string client;
  std::optional<remote_policy> policy = remote_policy::ask;
  bool for_everybody = false;  ///< also for clients with their own policy, while it lasts
};

/// `:set`. Empty: back to the default.
struct setting_changed {
  std::string name;
  std::optional<std::string> value;
};

/// A new name, or new tags, of the session.
struct meta_changed {
  std::optional<std::string> name;
  std::optional<std::vector<std::string>> tags;
};

/// The change of the entry in the same transition can be undone with `:undo`, like that of an
/// evaluation; the redo steps are dropped.
struct step_made {};

/// A branch is created. Its head is given as a change from the current one.
struct branch_made {
  std::string name;
  std::int64_t from = 0;  ///< the entry after which it diverges from the branch current then
  timestamp made;
  score_delta delta;
  environment_delta env_change;
};

/// Another branch becomes current. The entry of the same transition leads from the old head to its
/// own.
struct branch_switched {
  std::string name;
};

/// Measures of a branch were merged into the current one (by the entry of the same transition):
/// both have them in common now. Counted from 1 as numbered there, inclusive; up to `all_measures`:
/// everything.
struct branch_merged {
  std::string name;
  static constexpr int all_measures = std::numeric_limits<int>::max();
  int first = 1, last = 1;
};

/// The reply to a client that belongs to this transition.
struct answer_given {
  kept_answer answer;
};

using journal_event =
    std::variant<entry_committed, message_queued, message_shown, proposal_made, proposal_announced,
                 proposal_resolved, undone, redone, policy_changed, setting_changed, meta_changed,
                 step_made, branch_made, branch_switched, branch_merged, answer_given>;

/// Events that apply together or not at all: one line of the journal. At most one of them commits
/// an entry.
struct transition {
  std::vector<journal_event> events;
};

/// The session after the event. Errors: an index that is not the next one, a change that does not
/// fit the score, an unknown number: the journal is damaged or belongs to another session.
[[nodiscard]] result<session_state> apply(session_state s, const journal_event& e);
[[nodiscard]] result<session_state> apply(session_state s, const transition& t);

/// The entry that a transition commits; or null.
entry_ptr entry_of(const transition& t);

/// The kinds of events for observers: "entries" "queued" "proposal" "score" "settings", several
/// separated by blanks.
std::string kinds_of(const transition& t);
std::string kinds_of(const std::vector<transition>& together);

}  // namespace fermata
