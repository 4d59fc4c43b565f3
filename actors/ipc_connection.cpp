// The socket: lines that come, the order of replies, the way out.

#include "actors/ipc_connection.hpp"

#include "actors/ipc_connection_detail.hpp"
#include "actors/unix_doorman.hpp"
#include "io/protocol/envelope.hpp"

#include <poll.h>
#include <sys/socket.h>

namespace fermata::actors {

ipc_connection_state::ipc_connection_state(pointer ptr) : self(ptr) {}
ipc_connection_state::~ipc_connection_state() {
  for (const auto& j : open)
    if (j->interrupted) j->interrupted->store(true);
}

/// A client that says no more may still listen. One that has hung up does not; the system says so
/// only when it is asked, since we do not read from it any more.
void ipc_connection_state::look_whether_gone() {
  if (!ended || gone || leaving) return;
  pollfd peer{static_cast<int>(hdl.id()), 0, 0};
  gone = ::poll(&peer, 1, 0) > 0 && (peer.revents & (POLLHUP | POLLERR)) != 0;
  if (gone)
    for (const auto& j : open)
      if (j->interrupted) j->interrupted->store(true);
  if (!gone && !long_queries.empty())
    self->delayed_send(self, std::chrono::seconds{1}, gone_check::value);
}

// --- the socket ----------------------------------------------------------------------------------

caf::behavior ipc_connection_state::start(caf::io::connection_handle handle,
                                          session_manager_actor session_manager,
                                          ipc_settings_ptr how) {
  hdl = handle;
  manager = std::move(session_manager);
  settings = std::move(how);
  self->set_default_handler(caf::drop);
  self->set_down_handler([this](caf::down_msg& msg) { session_down(msg.source); });
  self->configure_read(hdl, caf::io::receive_policy::at_most(4096));
  self->ack_writes(hdl, true);
  if (!settings->token.empty()) {
    admitted = false;
    who.door = "tcp";
    self->delayed_send(self, settings->patience, hello_due::value);
  }
  return {
      [this](caf::io::new_data_msg& msg) { bytes_came(msg.buf); },
      [this](const caf::io::data_transferred_msg& msg) { bytes_left(msg.written); },
      [this](const caf::io::connection_closed_msg&) { self->quit(); },
      // An observer answers an event by returning from its handler.
      [this](const session_event& e) { happened(e); },
      [this](atom::changed, const session_event& e) { happened(e); },
      [this](query_done, const job_ptr& j, std::string& line) { finish(j, std::move(line)); },
      [this](long_query_over, const job_ptr& j, std::string& line) {
        long_query_done(j, std::move(line));
      },
      [this](wait_over, std::uint64_t id) { waited_long_enough(id); },
      [this](stall_check) { check_stall(); },
      [this](gone_check) { look_whether_gone(); },
      [this](hello_due) { still_a_stranger(); },
      [this](sessions_changed) { list_changed(); },
  };
}

void ipc_connection_state::bytes_came(std::vector<char>& buffer) {
  std::string_view bytes{buffer.data(), buffer.size()};
  if (!bytes.empty() && bytes.back() == end_of_input) {
    // In this very handler: the descriptor stays readable, and the loop would spin.
    self->halt(hdl);
    halted = true;
    ended = true;
    bytes.remove_suffix(1);
  }
  if (refusing) {
    refused_bytes += bytes.size();
  } else {
    gathering = true;
    in.feed(bytes);
    if (ended) in.finish();
    lines_came();
    gathering = false;
  }
  look_whether_gone();
  flush();
}

void ipc_connection_state::lines_came() {
  while (!leaving && !refusing) {
    auto line = in.next();
    if (!line) {
      if (in.overflowed()) line_too_long();
      return;
    }
    line_came(*line);
  }
}

void ipc_connection_state::line_came(std::string_view line) {
  if (std::exchange(first_line, false) && io::protocol::looks_like_http(line)) {
    disconnect("an HTTP client");
    return;
  }
  auto memory = io::protocol::incoming::read(line);
  auto& requests = memory->requests();
  std::shared_ptr<io::protocol::reply_queue::slot> slot;
  const bool unordered = !memory->is_batch() && requests.front().unordered;
  if (!unordered) slot = replies.reserve(requests.size(), memory->is_batch());
  for (std::size_t i = 0; i < requests.size(); ++i) {
    auto j = std::make_shared<job>();
    j->memory = memory;
    j->what = io::protocol::prepare(requests[i]);
    j->to = unordered ? replies.unordered() : io::protocol::reply_queue::place{slot, i};
    begin(j);
  }
}

void ipc_connection_state::line_too_long() {
  refusing = true;
  auto slot = replies.reserve(1, false);
  const io::protocol::reply_head head{io::protocol::envelope::json_rpc, "null", true};
  replies.fill({slot, 0},
               io::protocol::fault_line(
                   head, {fault_code::invalid_request,
                          fmt::format("a line has at most {} bytes", io::protocol::max_line),
                          "send less at once; this connection is closed",
                          {{"max", io::protocol::max_line}}}),
               out);
  watch_for_stall();
}

// --- the way out ---------------------------------------------------------------------------------

void ipc_connection_state::flush() {
  if (leaving) return;
  if (!out.empty()) {
    auto& buffer = self->wr_buf(hdl);
    buffer.insert(buffer.end(), out.begin(), out.end());
    unsent += out.size();
    out.clear();
    self->flush(hdl);
    watch_for_stall();
  }
  throttle();
}

void ipc_connection_state::bytes_left(std::size_t count) {
  unsent -= std::min(unsent, count);
  taken += count;
  throttle();
}

void ipc_connection_state::throttle() {
  if (leaving) return;
  if (unsent > settings->max_unsent_events) {
    disconnect("takes no events");
    return;
  }
  const bool all_said = replies.pending() == 0 && unsent == 0;
  if (ended) {
    if (all_said) {
      leaving = true;
      self->close(hdl);
      self->quit();
    }
    return;
  }
  if (refusing) {
    // Closing now would lose the error: bytes that nobody read turn the close into a reset.
    if (all_said && !silent) {
      silent = true;
      ::shutdown(static_cast<int>(hdl.id()), SHUT_WR);
    }
    if (refused_bytes > 64 * io::protocol::max_line)
      disconnect("goes on sending after too long a line");
    return;
  }
  const bool full = replies.pending() >= settings->max_pending || unsent > settings->max_unsent ||
                    replies.held_bytes() > settings->max_unsent_events;
  if (full == halted) return;
  halted = full;
  if (full)
    self->halt(hdl);
  else
    self->trigger(hdl);
}

void ipc_connection_state::still_a_stranger() {
  if (!admitted) disconnect("did not say hello");
}

void ipc_connection_state::watch_for_stall() {
  if (watching) return;
  watching = true;
  taken_then = taken;
  self->delayed_send(self, settings->stall, stall_check::value);
}

void ipc_connection_state::check_stall() {
  watching = false;
  if (leaving || (unsent == 0 && !refusing)) return;
  if (taken == taken_then)
    disconnect(refusing ? "did not close after too long a line" : "takes no replies");
  else
    watch_for_stall();
}

void ipc_connection_state::disconnect(const std::string& why) {
  if (std::exchange(leaving, true)) return;
  settings->log(fmt::format("disconnected {} ({})", who.author, why));
  // A graceful end would wait for a reader that takes nothing.
  ::shutdown(static_cast<int>(hdl.id()), SHUT_RDWR);
  self->close(hdl);
  self->quit();
}

caf::behavior ipc_connection(caf::stateful_actor<ipc_connection_state, caf::io::broker>* self,
                             caf::io::connection_handle hdl, session_manager_actor sessions,
                             ipc_settings_ptr settings) {
  return self->state.start(hdl, std::move(sessions), std::move(settings));
}

static_assert(!std::is_aggregate_v<ipc_connection_state>);

}  // namespace fermata::actors
