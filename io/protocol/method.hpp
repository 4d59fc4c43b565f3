#pragma once

#include "core/session/timeline/state.hpp"
#include "io/protocol/command.hpp"
#include "io/protocol/fault.hpp"
#include "io/protocol/schema.hpp"

#include <boost/json/object.hpp>

#include <cstdint>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

namespace fermata::io::protocol {

/// One row of the session list, as shown by the protocol.
struct session_row {
  session_meta meta;
  std::string score;
  std::size_t entries = 0;
  bool active = false;
  bool loaded = false;
};

/// The input of a query: values only, so that it can run on any thread.
struct query {
  session_snapshot session;                                  ///< if the row needs it
  std::shared_ptr<const std::vector<session_row>> sessions;  ///< if the row needs it
  std::string active;  ///< slug of the active session, if the row needs it
  timestamp now{};     ///< when the request came
};

/// A query: pure, same query and arguments, same result.
using query_handler = answer<boost::json::object> (*)(const query&, const arguments&);
/// Any other request, to be carried out by the owner of the sessions.
using command_handler = answer<command> (*)(const arguments&);

enum class access : std::uint8_t { read, write };

/// Who may call: only the socket, or also MCP clients.
enum class audience : std::uint8_t { socket, socket_and_mcp };

/// Data that must be fetched before a query can run.
enum class needs : std::uint8_t { nothing, sessions, session, session_and_active };

/// One method of the protocol. Checks, `rpc.discover`, the MCP tool list and the reference are
/// derived from these rows.
struct method {
  std::string_view name;  ///< "get_score"; `repl_get_score` is accepted too
  std::string_view title;
  std::string_view doc;  ///< one or two sentences, shown to people and to clients
  access access_kind = access::read;
  audience offered = audience::socket;
  needs wants = needs::nothing;
  /// True if it may delay other clients noticeably; it then runs on a worker.
  bool heavy = false;
  bool reads_entries =
      false;                 ///< reads old entries of the timeline, which may be on disk and block
  bool destructive = false;  ///< of a write: removes something
  bool idempotent = false;   ///< of a write: repeating the call changes nothing more
  fields params{};
  fields result{};
  std::variant<query_handler, command_handler> handler;
};

/// Rows by subject, next to their handlers.
std::span<const method> system_methods();
std::span<const method> session_methods();
std::span<const method> score_methods();
std::span<const method> history_methods();
std::span<const method> analysis_methods();
std::span<const method> edit_methods();
std::span<const method> event_methods();
std::span<const method> playback_methods();
std::span<const method> recording_methods();
std::span<const method> front_end_methods();

/// All rows.
const std::vector<const method*>& methods();
/// By name, with or without `repl_`; null if there is no such method.
const method* find_method(std::string_view name);
/// The error for an unknown method, with the nearest name.
fault unknown_method(std::string_view name);

/// The version of the protocol. Another major version is rejected, see `system.hello`.
inline constexpr std::string_view protocol_version = "1.0.0";

}  // namespace fermata::io::protocol
