#pragma once

#include "actors/session/session_setup.hpp"
#include "core/session/timeline/author.hpp"
#include "core/session/timeline/state.hpp"
#include "core/session/turn/turn_state.hpp"
#include "messages/session.hpp"

#include <caf/error.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace fermata::actors {

/// What a session refuses before it does anything: functions of its state and of the request.

/// Clients evaluate expressions; commands and messages to clients are the user's.
std::optional<caf::error> refusal_of_text(const std::string& text);

/// What the policy makes of an evaluation by a client; nothing: it is refused.
enum class evaluation_use : std::uint8_t { preview, propose, commit };
std::optional<evaluation_use> use_of_evaluation(const session_state& s,
                                                const remote_evaluation& what, bool is_read_only);

/// Commands of clients, such as playback, are for clients that may propose at least.
std::optional<caf::error> refusal_of_command(const session_state& s, const entry_source& source);

std::optional<caf::error> refusal_of_undo(const session_state& s, const remote_undo& what);

/// Only an open proposal is answered, and only by its author.
std::optional<caf::error> refusal_of_answer(const session_state& s, const proposal_answer& what);

/// `max_bytes`: of one message.
std::optional<caf::error> refusal_of_message(const std::string& content, std::size_t max_bytes);

/// Whether one more line of the user, or one more turn of a client, would be too many. `bytes`: of
/// its text; `bytes_of_previews`: of the text that other requests of clients hold.
std::optional<caf::error> no_room_for_line(const turn_state& turns, const session_limits& limits);
std::optional<caf::error> no_room_for_turn(const turn_state& turns, const session_limits& limits,
                                           const std::string& caller, std::size_t bytes,
                                           std::size_t bytes_of_previews);

/// Whether messages or proposals wait for the user.
bool waits_for_user(const session_state& s);

/// Whether one more message would be too many for the user; limits of all that are pending.
std::optional<caf::error> no_room_for_message(const session_state& s, std::size_t bytes,
                                              std::size_t max_messages, std::size_t max_bytes);

}  // namespace fermata::actors
