#pragma once

#include "core/session/commands/classify.hpp"
#include "core/session/commands/command.hpp"
#include "core/session/commands/command_request.hpp"
#include "core/session/timeline/state.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>

namespace fermata {

/// A turn of a session, chosen by whoever runs it (step.hpp): what is known about the requester,
/// such as where to send the answer, is kept under this number and never seen here.
using turn_id = std::uint64_t;

/// One whole input of the user, classified and parsed once.
struct entered_line {
  std::string text;                  ///< as typed, as valid UTF-8
  std::optional<error> undecodable;  ///< why it was not; nothing of such a line is run
  classified_input input;
  std::optional<command_line> command;  ///< of a command
};
/// Reads what was typed.
entered_line read_line(std::string typed);
/// A command that a program asks for by name: nothing is parsed. Precondition: the row exists.
entered_line command_entered(const command_request& what);

/// A line of a front end, or a command that a program asked for (`undo`, `accept`, `play`).
struct line_request {
  entered_line line;
  entry_source source;
  bool preview = false;        ///< evaluate only: the turn has one entry, with index 0
  bool accessible = false;     ///< for a screen reader: words instead of signs
  bool shows_pending = false;  ///< pending messages and new proposals are shown first
  std::optional<std::uint64_t> expected_revision{};  ///< checked when the turn begins
  std::optional<kept_answer> kept{};                 ///< recorded for repetitions by the client
};

/// An evaluation that the policy lets a client commit.
struct client_request {
  std::string text;
  entry_source source;
  std::optional<std::uint64_t> expected_revision{};
  std::optional<kept_answer> kept{};  ///< recorded with what comes of it
};

/// A System entry.
struct note_request {
  std::string event, text;
};

using turn_request = std::variant<line_request, client_request, note_request>;

/// Bytes of the text of a request.
std::size_t text_bytes(const turn_request& r);

}  // namespace fermata
