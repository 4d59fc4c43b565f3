#pragma once

#include "core/session/turn/step.hpp"
#include "messages/errors.hpp"
#include "messages/session.hpp"

#include <caf/expected.hpp>

#include <functional>

namespace fermata::actors {

/// How the turns of a session (core/session/turn) are answered in messages.

using answer_turn = std::function<void(caf::expected<turn>)>;
using answer_remote = std::function<void(caf::expected<remote_outcome>)>;

/// The error of an optimistic request whose revision is no longer the current one.
caf::error conflict(std::uint64_t expected, std::uint64_t current);

/// An error of ours during an evaluation, as its outcome.
evaluation_outcome failed_evaluation(const caf::error& e);

/// A refusal as an error. `read_only` and `not_written`: the errors that stand for those reasons.
caf::error to_problem(const refuse_turn& r, std::uint64_t client_line_bytes,
                      const caf::error& read_only, const caf::error& not_written);

/// The answer to a client whose evaluation was committed as this entry; an error when it failed.
caf::expected<remote_outcome> outcome_of(const entry_ptr& entry, const std::string& source,
                                         const session_state& after);

}  // namespace fermata::actors
