#pragma once

#include "core/session/timeline/event.hpp"
#include "io/store/session_directory.hpp"
#include "messages/atoms.hpp"

#include <caf/allowed_unsafe_message_type.hpp>
#include <caf/fwd.hpp>
#include <caf/replies_to.hpp>
#include <caf/typed_actor.hpp>

#include <memory>
#include <string>
#include <vector>

namespace fermata {

/// What is written at once, and the session after it.
struct journal_batch {
  std::vector<transition> transitions;
  session_snapshot after;
  /// The lines of the transitions, if they have been made already; null: that one has not.
  std::vector<std::shared_ptr<const std::string>> lines = {};
};

/// A session as loaded from disk.
using loaded_session = io::stored_session;

/// The writer of one session's folder. Blocks on the disk, so it works on the shared workers.
using store_actor = caf::typed_actor<
    // Reads the session, as far as it is intact. If another process writes to it, its state at this
    // moment (`session_state::written_by`). Errors: failed if the folder cannot be read; conflict
    // if another process has it and write access is required.
    caf::replies_to<atom::load>::with<loaded_session>,
    // Replies when it is written (it then survives the end of the process); it is flushed to disk
    // at most a second later. Errors: failed, with nothing of the batch written. This and the other
    // writing requests fail and write nothing if another program has moved, removed or replaced the
    // journal.
    caf::replies_to<atom::append, journal_batch>::with<void>,
    // Writes score, environment and the rest as separate files, so that loading starts from there.
    caf::replies_to<atom::checkpoint, session_snapshot>::with<void>,
    // The same for an explicit request to save: if the journal was removed, alone or with the
    // folder, both are recreated.
    caf::replies_to<atom::checkpoint, atom::restore, session_snapshot>::with<void>,
    // The same if enough has been written since the last one; otherwise nothing.
    caf::replies_to<atom::checkpoint, atom::when_due, session_snapshot>::with<void>,
    // Replies when everything is flushed to disk.
    caf::replies_to<atom::flush>::with<void>,
    // The external edit of score.ferm (the writer of entries is told by a note `score-edited`).
    // Errors: failed if there is none, or only for other branches.
    caf::replies_to<atom::reload>::with<io::offered_score>,
    // It is the score now.
    caf::reacts_to<atom::taken, io::offered_score>,
    // INTERNAL: timer for reading what another process has written.
    caf::reacts_to<atom::follow>,
    // INTERNAL: timer for the grouped fsync.
    caf::reacts_to<atom::sync>>;

}  // namespace fermata

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(fermata::journal_batch)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(fermata::loaded_session)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(fermata::io::offered_score)
