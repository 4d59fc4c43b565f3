#pragma once

#include "core/lang/evaluation/evaluate.hpp"
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

/// A line (or several, one whole input) that a front-end hands to its session.
struct submission {
  std::string text;
  entry_source source;
  /// Set by the front-end from any thread to stop this evaluation between two steps (Ctrl-C).
  std::shared_ptr<std::atomic<bool>> cancelled;
  /// True: evaluate only, no commit (`eval_preview`); nothing is recorded: the turn has one entry
  /// with index 0.
  bool preview = false;
  /// Of the terminal that waits for the answer: what is drawn there is no wider, and in ASCII where
  /// it shows nothing else.
  std::size_t columns = 80;
  bool unicode = true;
  bool in_words = false;  ///< who waits hears or feels the answer: words instead of signs
  /// Where file names begin that the line has; empty: in the working folder of this process.
  std::string folder = {};
  /// The front end that waits for the answer, a number of its choice; 0: none.
  std::uint64_t front_end = 0;
};

/// The answer to one submission: everything that happened in it, in order. Queued messages come
/// first, then the entry of the line itself. Front-ends print turns and never number anything.
struct turn {
  std::vector<entry_ptr> entries;
  session_snapshot after;
  turn_effect effect;
  /// What the command of the line lists; to be shown in place of its output, which only counts it.
  /// Null: it lists nothing.
  entry_listing_ptr listing = nullptr;
};

/// Words for the musician from outside.
struct incoming_message {
  std::string content;
  entry_source source;
  std::string idempotency_key;  ///< the same key again answers the same and does nothing
};

/// Where a queued message stands.
struct message_receipt {
  std::int64_t ticket = 0;
  std::size_t waiting = 0;  ///< messages now in the queue, this one included
};

/// An evaluation asked for by a client.
struct remote_evaluation {
  std::string text;
  entry_source source;
  std::optional<std::uint64_t>
      expected_revision;        ///< refused with `conflict` when it no longer holds
  std::string idempotency_key;  ///< the same key again answers the same and does nothing
  /// Set by the door from any thread when the client cancels or is gone; may be null.
  std::shared_ptr<std::atomic<bool>> cancelled = nullptr;
  bool always_propose = false;  ///< waits for the musician also where the policy would allow it
  /// Which connection asks: several share what there is fairly. Empty: told apart by their names.
  std::string caller = {};
};

/// Taking back, asked for by a client.
struct remote_undo {
  std::int64_t count = 1;
  entry_source source;
  std::optional<std::uint64_t> expected_revision;
  std::string idempotency_key;
};

/// What the person at a client decided about a proposal that this client had made.
struct proposal_answer {
  std::int64_t number = 0;
  bool accept = false;
  entry_source source;
};

/// What became of it: done (policy allow), previewed, or waiting as a proposal.
struct remote_outcome {
  std::optional<std::int64_t> proposal;  ///< number when it waits for the musician
  entry_ptr entry;                       ///< the committed entry when it was done
  std::string output_text;               ///< printed value
  std::string delta_summary;
  std::vector<std::string> remarks;  ///< what the evaluation dropped, one line each
  std::uint64_t revision = 0;
  bool changed = false;
  bool scratch = false;  ///< it was done while nothing that is evaluated changes the score
};

/// What observers of a session are told, in order, `sequence` gapless per session instance.
struct session_event {
  std::string session;
  std::uint64_t sequence = 0;
  /// An observer that is slow gets several at once: this one stands for all from here to
  /// `sequence`.
  std::uint64_t first_sequence = 0;
  std::vector<entry_ptr> entries;  ///< newly committed
  /// Set when an observer was so slow that entries were left out; `after` has them.
  bool entries_left_out = false;
  /// "entries" "queued" "proposal" "score" "settings"; several, separated by blanks, of a merged
  /// one.
  std::string what;
  session_snapshot after;
  /// The front end whose line made these entries: it receives them as its answer. 0: none.
  std::uint64_t answered_to = 0;
};

/// What has happened in a session and is not kept, since nothing could be written; in order.
struct unwritten_transitions {
  std::vector<transition> all;
};

/// Whoever is told what happens in a session.
using session_observer_actor = caf::typed_actor<
    // It happened. Sent as a request: returning from the handler says that more may come.
    caf::reacts_to<session_event>>;

/// A session that another process wrote to, as it was read again.
struct opened_again {
  session_snapshot state;  ///< `written_by` says whether that process still has it
  store_actor store;       ///< null: it has, or nothing can be written
  entry_loader_ptr loader;
  std::string unkept;  ///< why nothing can be written
};

/// One session: score, environment, timeline, queue, proposals. Its mailbox is the order of the
/// timeline; submissions are taken strictly one after another while queries are answered at once.
using session_actor = caf::typed_actor<
    // A line of the musician. Answered when its entry is committed and on disk. Errors: busy when
    // too many submissions wait.
    caf::replies_to<atom::submit, submission>::with<turn>,
    // The current state, at once, also while an evaluation runs.
    caf::replies_to<atom::snapshot>::with<session_snapshot>,
    // Puts words into the queue; they are shown and numbered at the next submission. Errors: busy.
    caf::replies_to<atom::enqueue, incoming_message>::with<message_receipt>,
    // A client's evaluation under the session's policy. Errors: conflict, not_permitted,
    // eval_error, busy.
    caf::replies_to<atom::propose, remote_evaluation>::with<remote_outcome>,
    // Evaluates on the current snapshot, commits and records nothing.
    caf::replies_to<atom::preview, remote_evaluation>::with<remote_outcome>,
    // Takes back the last changes as one entry. Errors: not_permitted unless the policy is allow,
    // conflict, out_of_range, busy.
    caf::replies_to<atom::undo, remote_undo>::with<turn>,
    // Accepts or rejects a proposal, as one entry. Errors: not_found, invalid_state when it is
    // decided already, not_permitted when another client made it.
    caf::replies_to<atom::resolve, proposal_answer>::with<turn>,
    // `session_event`s go to this actor from now on, as requests, until it ends: each is answered
    // by returning from its handler. With 32 unanswered ones further ones are merged. Answers the
    // snapshot they start from.
    caf::replies_to<atom::observe, session_observer_actor>::with<session_snapshot>,
    // A front-end has set the flag of its line (Ctrl-C). One that waits is given up now, and a
    // client's evaluation that holds it up is stopped.
    caf::reacts_to<atom::cancel>,
    // Writes everything out, fsync included, then answers.
    caf::replies_to<atom::flush>::with<void>,
    // INTERNAL. What is in memory only; nothing where there is a store.
    caf::replies_to<atom::unwritten>::with<unwritten_transitions>,
    // INTERNAL to the end of the program: flush, answer, quit. Errors: failed when what is written
    // could not be brought to the disk.
    caf::replies_to<atom::stop>::with<void>,
    // INTERNAL. Ends like that when nothing is under way, nobody observes it and nothing waits for
    // the user; false: it goes on. Whoever uses it next finds it on the disk.
    caf::replies_to<atom::rest>::with<bool>,
    // Something happened by itself: a System entry with this short name and sentence.
    caf::reacts_to<atom::note, std::string, std::string>,
    // INTERNAL. Goes on with this, as soon as no turn is under way that was begun before.
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
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(fermata::proposal_answer)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(fermata::remote_outcome)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(fermata::session_event)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(fermata::unwritten_transitions)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(fermata::opened_again)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(fermata::session_snapshot)
