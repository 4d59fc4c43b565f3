#pragma once

#include "actors/ipc/connection_core.hpp"
#include "actors/ipc/disk_reads.hpp"
#include "actors/ipc/front_end_link.hpp"
#include "actors/ipc/ipc_commands.hpp"
#include "actors/ipc/ipc_settings.hpp"
#include "actors/ipc/open_requests.hpp"
#include "actors/ipc/query_runner.hpp"
#include "actors/ipc/session_events.hpp"
#include "actors/ipc/session_lookup.hpp"
#include "io/protocol/connection_flow.hpp"
#include "io/text/line_decoder.hpp"
#include "messages/ipc_connection.hpp"

#include <caf/io/typed_broker.hpp>
#include <caf/stateful_actor.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fermata::actors {

/// One client of the socket: one broker each, because connection handles are descriptors and are
/// used again. It owns no state of any session: queries run on snapshots; everything else becomes a
/// message to the session manager or a session.
///
/// This class is the table of messages, and the socket: it reads lines and writes lines. Its parts
/// do the rest:
///
/// - `open_requests`: requests that have not been answered, the order in which they begin;
/// - `session_lookup`, `query_runner`, `disk_reads`: what queries read, and where they run;
/// - `ipc_commands`: one function per command;
/// - `session_events`: waiting for changes, and subscriptions;
/// - `front_end_link`: the window of the user that is attached, if this is one.
///
/// Order: replies leave in the order of their requests (reply_queue), except those asked for
/// `unordered`; requests begin in the order of io/protocol/request_order.hpp.
///
/// Bounds: with too many requests or bytes unanswered or untaken (io/protocol/connection_flow.hpp),
/// no more is read from the socket, so the kernel holds the client back; what was asked for before
/// that is answered, however much it is, because a client that reads could not help it. Events are
/// made as the client takes them. A client that takes nothing of a full queue for `stall` is
/// disconnected.
///
/// Ends: the client closed for writing -> all replies go out, then it is closed. The client
/// disconnected -> what it asked for is done, in its order, and nobody is told, except that nothing
/// is searched or evaluated any more; while something is, the socket is checked again and again.
/// The client cancels one request -> it ends like that, and is answered.
/// The listener ends -> so does this at once, but for a window whose line is being answered.
/// A session died -> its requests are answered with `unavailable`. Too long a line -> an error,
/// then nothing is read as a request any more.
class ipc_connection_state {
public:
  using pointer = ipc_connection_actor::stateful_broker_pointer<ipc_connection_state>;
  static inline const char* name = "ipc_connection";

  explicit ipc_connection_state(pointer ptr) : self_(ptr) {}
  ipc_connection_state(const ipc_connection_state&) = delete;
  ipc_connection_state& operator=(const ipc_connection_state&) = delete;

  ipc_connection_actor::behavior_type start(caf::io::connection_handle handle,
                                            session_manager_actor sessions, ipc_settings_ptr how);

private:
  // Lines that come.
  void read(std::vector<char>& bytes);
  void read_lines();
  void read_line(std::string_view line);
  void refuse_long_line();

  // Lines that leave.
  void flush();
  void bytes_taken(std::size_t count);
  void take_flow_step();
  void watch_progress();
  void check_progress();
  void answered();

  // Other messages.
  void happened(const session_event& e);
  void list_changed();
  void played(const playback_status& status);
  void recorded(const recording_status& status);
  void front_end_said(const front_end_event& e);
  void actor_ended(const caf::actor_addr& who);
  void hello_timed_out();

  // The end.
  void check_connected();
  void check_connected_later();
  bool peer_hung_up() const;
  void end(caf::error reason);
  void end_if_answered();
  void end_now();
  void close();
  void disconnect(const std::string& why);
  void left();
  void quit_when_written();

  bool is_open() const { return phase_ == phase_t::open; }

  pointer self_;
  caf::io::connection_handle handle_;
  std::optional<connection_core> core_;
  std::optional<open_requests> requests_;
  std::optional<session_lookup> sessions_;
  std::optional<disk_reads> disk_;
  std::optional<query_runner> queries_;
  std::optional<session_events> events_;
  std::optional<front_end_link> front_end_;
  std::optional<ipc_commands> commands_;

  io::protocol::line_decoder in_;
  io::protocol::connection_flow flow_{{}};
  bool first_line_ = true;
  bool reading_lines_ = false;  ///< their replies leave together afterwards
  /// That of the last request: what has none itself is answered in it.
  io::protocol::envelope envelope_ = io::protocol::envelope::short_form;
  bool check_is_due_ = false;  ///< whether the client is still connected
  /// `left`: there is no connection any more; writes may still be under way.
  enum class phase_t : std::uint8_t { open, closing, left } phase_ = phase_t::open;
  std::optional<caf::error> ending_;  ///< why, once the listener ends
};

/// The broker of one connection, made by the listener with `fork`.
ipc_connection_actor::behavior_type ipc_connection(ipc_connection_state::pointer self,
                                                   caf::io::connection_handle hdl,
                                                   session_manager_actor sessions,
                                                   ipc_settings_ptr settings);

}  // namespace fermata::actors
