#pragma once

#include "core/session/timeline/author.hpp"
#include "core/session/timeline/state.hpp"
#include "messages/session.hpp"

#include <caf/error.hpp>

#include <cstddef>
#include <optional>
#include <string>

namespace fermata::actors {

/// What a session refuses before it does anything: functions of its state and of the request.

/// Clients evaluate expressions; commands and messages to clients are the user's.
std::optional<caf::error> refusal_of_text(const std::string& text);

std::optional<caf::error> refusal_of_undo(const session_state& s, const remote_undo& what);

/// Only an open proposal is answered, and only by its author.
std::optional<caf::error> refusal_of_answer(const session_state& s, const proposal_answer& what);

/// `max_bytes`: of one message.
std::optional<caf::error> refusal_of_message(const std::string& content, std::size_t max_bytes);

/// Whether one more message would be too many for the user; limits of all that are pending.
std::optional<caf::error> no_room_for_message(const session_state& s, std::size_t bytes,
                                              std::size_t max_messages, std::size_t max_bytes);

}  // namespace fermata::actors
