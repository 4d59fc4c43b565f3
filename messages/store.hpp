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

/// What is written in one piece, and what the session is after it.
struct journal_batch {
  std::vector<transition> transitions;
  session_snapshot after;
};

/// A session as it came from disk.
using loaded_session = io::stored_session;

/// The writer of one session's directory. Blocks on the disk, so it works on the shared workers.
using store_actor = caf::typed_actor<
    // Reads the session, as far as it is sound. One that another process writes to is read as it is
    // at this moment (`session_state::written_by`). Errors: failed when the folder cannot be read;
    // conflict when another process has it and only writing is of use.
    caf::replies_to<atom::load>::with<loaded_session>,
    // Answered when it is written (it then survives the end of the process); on the disk itself at
    // most a second later. Errors: failed, with nothing of the batch written; also for the others,
    // and nothing at all, when somebody else has moved, removed or replaced the journal.
    caf::replies_to<atom::append, journal_batch>::with<void>,
    // Score, environment and the rest as files of their own, so that loading starts from there.
    caf::replies_to<atom::checkpoint, session_snapshot>::with<void>,
    // The same for whoever asks for the session to be saved: where its journal is gone, alone or
    // with the folder, both are made again.
    caf::replies_to<atom::checkpoint, atom::bring_back, session_snapshot>::with<void>,
    // The same when enough has been written since the last one; else nothing.
    caf::replies_to<atom::checkpoint, atom::when_due, session_snapshot>::with<void>,
    // Answered when everything is on the disk.
    caf::replies_to<atom::flush>::with<void>,
    // What somebody else made of score.ferm (a note `score-edited` to the writer of entries says
    // that there is something). Errors: failed when nobody has changed it, or on other branches
    // only.
    caf::replies_to<atom::reload>::with<io::offered_score>,
    // It is the score now.
    caf::reacts_to<atom::taken, io::offered_score>,
    // INTERNAL: time to look what another process has written.
    caf::reacts_to<atom::follow>,
    // INTERNAL: time for the grouped fsync.
    caf::reacts_to<atom::sync>>;

}  // namespace fermata

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(fermata::journal_batch)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(fermata::loaded_session)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(fermata::io::offered_score)
