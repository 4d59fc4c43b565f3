#pragma once

#include "core/lang/evaluation/evaluate.hpp"
#include "core/session/commands/command_request.hpp"
#include "core/session/commands/entry_listing.hpp"
#include "core/session/timeline/event.hpp"
#include "core/session/timeline/state.hpp"
#include "core/session/timeline/turn_effect.hpp"
#include "messages/atoms.hpp"
#include "messages/store.hpp"

#include <caf/allowed_unsafe_message_type.hpp>
#include <caf/fwd.hpp>
#include <caf/replies_to.hpp>
#include <caf/typed_actor.hpp>

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace fermata {

/// A line (or several, as one input) that a front end submits to its session.
struct submission {
  std::string text;
  entry_source source;
  /// Set by the front end from any thread to stop this evaluation between two steps (Ctrl-C).
  std::shared_ptr<std::atomic<bool>> cancelled;
  /// True: evaluate only, no commit (`eval_preview`); nothing is recorded: the turn has one entry
  /// with index 0.
  bool preview = false;
  /// The terminal that waits for the reply: output is no wider, and ASCII if it can show nothing
  /// else.
  std::size_t columns = 80;
  bool unicode = true;
  bool accessible = false;  ///< for a screen reader: words instead of signs
  /// Folder of relative file names in the line; empty: the working folder of this process.
  std::string folder = {};
  /// The front end that waits for the answer, a number of its choice; 0: none.
  std::uint64_t front_end = 0;
};

/// The reply to one submission: everything that happened in it, in order. Pending messages come
/// first, then the entry of the line itself. Front ends print turns and assign no numbers.
struct turn {
  std::vector<entry_ptr> entries;
  session_snapshot after;
  turn_effect effect;
  /// The list of the line's command, to be shown in place of its output, which only has the count.
  /// Null: it has no list.
  entry_listing_ptr listing = nullptr;
};

/// A client's message to the user.
struct incoming_message {
  std::string content;
  entry_source source;
  std::string idempotency_key;  ///< a repeated key has no effect and gets the same reply
};

/// The position of a pending message.
struct message_receipt {
  std::int64_t ticket = 0;
  std::size_t waiting = 0;  ///< pending messages, including this one
};

/// A client's request for an evaluation.
struct remote_evaluation {
  std::string text;
  entry_source source;
  std::optional<std::uint64_t> expected_revision;  ///< otherwise a `conflict`
  std::string idempotency_key;  ///< a repeated key has no effect and gets the same reply
  /// Set by the channel from any thread if the client cancels or disconnects; may be null.
  std::shared_ptr<std::atomic<bool>> cancelled = nullptr;
  bool always_propose = false;  ///< becomes a proposal even if the policy would allow it
  /// The connection, for a fair share of resources. Empty: clients are distinguished by name.
  std::string caller = {};
};

/// A client's request to undo changes.
struct remote_undo {
  std::int64_t count = 1;
  entry_source source;
  std::optional<std::uint64_t> expected_revision;
  std::string idempotency_key;
};

/// A command that a client asks for (playback), or the program itself (renaming a session).
struct requested_command {
  command_request command;
  entry_source source;
};

/// The decision on a proposal by the person at the client that made it.
struct proposal_answer {
  std::int64_t number = 0;
  bool accept = false;
  entry_source source;
};

/// The result: done (policy allow), previewed, or an open proposal.
struct remote_outcome {
  std::optional<std::int64_t> proposal;  ///< its number if it is open
  entry_ptr entry;                       ///< the committed entry if it was done
  std::string output_text;               ///< printed value
  std::string delta_summary;
  std::vector<std::string> remarks;  ///< what the evaluation dropped, one line each
  std::uint64_t revision = 0;
  bool changed = false;
  bool scratch = false;  ///< it was done in scratch mode
};

/// Notification for observers, in order; `sequence` is gapless per session instance.
struct session_event {
  std::string session;
  std::uint64_t sequence = 0;
  /// A slow observer gets several merged into one: this one covers all from here to `sequence`.
  std::uint64_t first_sequence = 0;
  std::vector<entry_ptr> entries;  ///< newly committed
  /// Set if entries were left out because an observer was too slow; `after` has them.
  bool entries_left_out = false;
  /// "entries" "queued" "proposal" "score" "settings"; several, separated by blanks, if merged.
  std::string what;
  session_snapshot after;
  /// The front end whose line made these entries: it receives them as its answer. 0: none.
  std::uint64_t answered_to = 0;
};

/// Changes in a session that are not stored, since nothing could be written; in order.
struct unwritten_transitions {
  std::vector<transition> all;
};

/// An observer of a session.
using session_observer_actor = caf::typed_actor<
    // A notification. Sent as a request: returning from the handler allows the next one.
    caf::reacts_to<session_event>>;

/// A session that another process wrote to, as it was reloaded.
struct opened_again {
  session_snapshot state;  ///< `written_by`: whether that process still has it
  store_actor store;       ///< null: it has, or nothing can be written
  entry_loader_ptr loader;
  std::string not_saved_reason;  ///< why nothing can be written
  std::string folder = {};       ///< where takes are kept; empty: nowhere
};

/// One session: score, environment, timeline, queue, proposals. Its mailbox orders the timeline;
/// submissions are handled strictly one after another, while queries are answered at once.
using session_actor = caf::typed_actor<
    // A line of the user. Replies when its entry is committed and on disk. Errors: busy if the
    // queue is full.
    caf::replies_to<atom::submit, submission>::with<turn>,
    // The current state, immediately, even while an evaluation runs.
    caf::replies_to<atom::snapshot>::with<session_snapshot>,
    // Queues a message; it is shown and numbered at the next submission. Errors: busy.
    caf::replies_to<atom::enqueue, incoming_message>::with<message_receipt>,
    // A client's evaluation under the session's policy. Errors: conflict, not_permitted,
    // eval_error, busy.
    caf::replies_to<atom::propose, remote_evaluation>::with<remote_outcome>,
    // Evaluates on the current snapshot; commits and records nothing.
    caf::replies_to<atom::preview, remote_evaluation>::with<remote_outcome>,
    // Undoes the last changes as one entry. Errors: not_permitted unless the policy is allow,
    // conflict, out_of_range, busy.
    caf::replies_to<atom::undo, remote_undo>::with<turn>,
    // Plays or stops, as one entry. Errors: not_permitted unless the policy lets the client propose
    // changes, busy. What the command itself refuses is in its entry.
    caf::replies_to<requested_command>::with<turn>,
    // Accepts or rejects a proposal, as one entry. Errors: not_found, invalid_state if it is
    // already decided, not_permitted if another client made it.
    caf::replies_to<atom::resolve, proposal_answer>::with<turn>,
    // `session_event`s are sent to this actor from now on, as requests, until it terminates: each
    // is confirmed by returning from its handler. With 32 unconfirmed ones further ones are merged.
    // Returns the snapshot from which they start.
    caf::replies_to<atom::observe, session_observer_actor>::with<session_snapshot>,
    // It is not told any more: a session without observers may be unloaded.
    caf::reacts_to<atom::unobserve, session_observer_actor>,
    // A front end has set the flag of its line (Ctrl-C). If it is queued it is cancelled now, and a
    // client's evaluation that delays it is stopped.
    caf::reacts_to<atom::cancel>,
    // Writes everything to disk, fsync included, then replies.
    caf::replies_to<atom::flush>::with<void>,
    // INTERNAL. Changes that are only in memory; empty if there is a store.
    caf::replies_to<atom::unwritten>::with<unwritten_transitions>,
    // INTERNAL, at exit: flush, reply, terminate. Errors: failed if something could not be written
    // to disk.
    caf::replies_to<atom::stop>::with<void>,
    // INTERNAL. Terminates like that if it is idle, has no observers and nothing pending for the
    // user; returns false otherwise. It is loaded from disk on next use.
    caf::replies_to<atom::unload>::with<bool>,
    // An event without an author: a system entry with this short name and sentence.
    caf::reacts_to<atom::note, std::string, std::string>,
    // INTERNAL. Continues with this as soon as no turn that was started before is running.
    caf::reacts_to<opened_again>,
    // INTERNAL: time to start a new evaluator in this lane.
    caf::reacts_to<atom::restart, std::uint32_t>>;

}  // namespace fermata

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(fermata::entry_source)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(fermata::submission)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(fermata::turn)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(fermata::incoming_message)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(fermata::message_receipt)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(fermata::remote_evaluation)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(fermata::remote_undo)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(fermata::requested_command)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(fermata::proposal_answer)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(fermata::remote_outcome)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(fermata::session_event)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(fermata::unwritten_transitions)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(fermata::opened_again)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(fermata::session_snapshot)
