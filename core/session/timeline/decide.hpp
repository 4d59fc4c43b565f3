#pragma once

#include "core/lang/evaluation/evaluate.hpp"
#include "core/session/timeline/event.hpp"

#include <optional>
#include <string>
#include <vector>

namespace fermata {

/// From what is asked of a session to the events that it means. Pure: the clock comes in as an
/// argument, and whoever asked applies the events and writes them down.

/// A transition with the entry that comes next in this session.
transition committed(const session_state& s, entry_kind kind, const entry_source& source,
                     timestamp now);

/// Something that happened by itself.
transition noted(const session_state& s, std::string name, std::string text, timestamp now);

/// Words from outside join the queue. The ticket is `s.next_ticket`.
transition queued(const session_state& s, std::string content, const entry_source& source,
                  timestamp now);

/// Everything that waits is shown: one transition per message and per proposal that the musician
/// has not been told of, in the order of arrival.
std::vector<transition> everything_waiting(const session_state& s, timestamp now);

/// How an evaluation came to be.
struct evaluation_origin {
  std::string text;
  entry_source source;
  std::optional<std::int64_t> proposal;  ///< accepted with it
  /// Its `output_text`, where that was made together with it, within its budget.
  std::optional<std::string> printed = {};
};

/// The entry of an evaluation. What it changed is measured against `s`, which must be the state
/// that it was evaluated on. A failed evaluation has an entry as well and changes nothing.
transition evaluated(const session_state& s, const evaluation_origin& origin,
                     const result<evaluation>& outcome, timestamp now);

/// The values of an evaluation as the prompt shows them, one per line; definitions show nothing.
std::string output_text(const evaluation& e);

/// Whether there was no expression in the text, only words for who reads it.
bool is_only_comment(const evaluation& e);

/// Whether an evaluation left something that a commit would keep.
bool changes_something(const environment& before, const evaluation& e);

/// A remote evaluation becomes a proposal; `s` is the state that it was evaluated on.
transition proposed(const session_state& s, std::int64_t number, const std::string& text,
                    const entry_source& source, std::uint64_t seen_revision, const evaluation& e,
                    timestamp now);

/// What taking back, or making again, `n` steps changes in all.
struct step_change {
  score_delta delta;
  environment_delta env_change;
  score_ptr score;
  environment_ptr env;
  std::vector<journal_event> steps;   ///< `undone` or `redone`, in order
  std::vector<std::int64_t> entries;  ///< whose changes these were
};
/// Errors: nothing to take back; n below one. Takes fewer steps when there are fewer.
result<step_change> undo_change(const session_state& s, std::int64_t n);
result<step_change> redo_change(const session_state& s, std::int64_t n);

}  // namespace fermata
