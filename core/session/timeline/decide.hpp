#pragma once

#include "core/lang/evaluation/evaluate.hpp"
#include "core/session/timeline/event.hpp"

#include <optional>
#include <string>
#include <vector>

namespace fermata {

/// From requests to a session to events. Pure: the clock is an argument, and the caller applies the
/// events and writes them.

/// A transition with the entry that comes next in this session.
transition committed(const session_state& s, entry_kind kind, const entry_source& source,
                     timestamp now);

/// An event without an author: started, restored.
transition noted(const session_state& s, std::string name, std::string text, timestamp now);

/// A message joins the queue. The ticket is `s.next_ticket`.
transition queued(const session_state& s, std::string content, const entry_source& source,
                  timestamp now);

/// Shows everything pending: one transition for each message and for each proposal that the user
/// has not seen, in order of arrival.
std::vector<transition> all_pending(const session_state& s, timestamp now);

/// Circumstances of an evaluation.
struct evaluation_origin {
  std::string text;
  entry_source source;
  std::optional<std::int64_t> proposal;  ///< accepted with it
  /// Its `output_text`, if that was printed with it, within its budget.
  std::optional<std::string> printed = {};
};

/// The entry of an evaluation. Its change is relative to `s`, which must be the state on which it
/// was evaluated. A failed evaluation also has an entry, without a change.
transition evaluated(const session_state& s, const evaluation_origin& origin,
                     const result<evaluation>& outcome, timestamp now);

/// The values of an evaluation as the prompt shows them, one per line; definitions show nothing.
std::string output_text(const evaluation& e);

/// Whether the text has no expression, only comments.
bool is_only_comment(const evaluation& e);

/// Whether an evaluation has an effect that a commit would keep.
bool changes_something(const environment& before, const evaluation& e);

/// A remote evaluation becomes a proposal; `s` is the state that it was evaluated on.
transition proposed(const session_state& s, std::int64_t number, const std::string& text,
                    const entry_source& source, std::uint64_t seen_revision, const evaluation& e,
                    timestamp now);

/// The total change of undoing or redoing `n` steps.
struct step_change {
  score_delta delta;
  environment_delta env_change;
  score_ptr score;
  environment_ptr env;
  std::vector<journal_event> steps;   ///< `undone` or `redone`, in order
  std::vector<std::int64_t> entries;  ///< whose changes these were
};
/// Errors: nothing to undo; n below one. Undoes fewer steps if there are fewer.
result<step_change> undo_change(const session_state& s, std::int64_t n);
result<step_change> redo_change(const session_state& s, std::int64_t n);

}  // namespace fermata
