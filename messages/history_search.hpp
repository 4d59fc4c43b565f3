#pragma once

#include "core/session/commands/command.hpp"
#include "core/session/timeline/state.hpp"
#include "messages/atoms.hpp"

#include <caf/allowed_unsafe_message_type.hpp>
#include <caf/fwd.hpp>
#include <caf/replies_to.hpp>
#include <caf/typed_actor.hpp>

#include <atomic>
#include <memory>

namespace fermata {

/// A command that reads old entries, or that may take long otherwise, on the session as it was when
/// the command was entered.
struct history_search_job {
  command_line command;
  session_snapshot on;
  entry_source source;
  timestamp now;
  output_options options;
  std::shared_ptr<std::atomic<bool>> interrupted{};  ///< set from any thread; may be null
};

/// Reads for a session: one command after another, without state in between. Blocks on the disk, so
/// it runs on one of the shared workers.
using history_search_actor = caf::typed_actor<
    // INTERNAL. Runs the command and returns its outcome.
    caf::replies_to<atom::history_search, history_search_job>::with<command_outcome>>;

}  // namespace fermata

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(fermata::history_search_job)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(fermata::command_outcome)
