#include "actors/ipc/ipc_connection.hpp"

#include "actors/ipc/unix_acceptor.hpp"
#include "io/protocol/envelope.hpp"
#include "io/protocol/tcp_listener.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>

#include <tuple>
#include <type_traits>
#include <utility>

namespace fermata::actors {

// --- the table of messages -----------------------------------------------------------------------

ipc_connection_actor::behavior_type ipc_connection_state::start(caf::io::connection_handle handle,
                                                                session_manager_actor sessions,
                                                                ipc_settings_ptr how) {
  handle_ = handle;
  const auto& s = *how;
  const bool over_tcp = !s.token.empty();
  flow_ = io::protocol::connection_flow{{.pending = s.max_pending,
                                         .pending_bytes = s.max_pending_bytes,
                                         .unsent = s.max_unsent,
                                         .held = s.max_held,
                                         .discarded = 64 * io::protocol::max_line}};
  core_.emplace(connection_core{self_, std::move(sessions), how, [this] { flush(); }});
  requests_.emplace(
      *core_, entry_source{"client", over_tcp ? "tcp" : "ipc"}, !over_tcp,
      [this](const ipc_request_ptr& r) { r->command ? commands_->perform(r) : queries_->begin(r); },
      [this] { answered(); });
  sessions_.emplace(*core_, *requests_);
  disk_.emplace(*core_, *requests_, [this] { check_connected(); });
  queries_.emplace(*core_, *requests_, *sessions_, *disk_);
  events_.emplace(*core_, *requests_, *disk_);
  front_end_.emplace(*core_, *requests_, [this](std::size_t max) { in_.raise_limit(max); });
  commands_.emplace(*core_, *requests_, *sessions_, *events_, *front_end_);

  self_->set_default_handler(caf::drop);
  self_->set_down_handler([this](caf::down_msg& msg) { actor_ended(msg.source); });
  self_->set_exit_handler([this](caf::exit_msg& msg) { end(msg.reason); });
  self_->configure_read(handle_, caf::io::receive_policy::at_most(4096));
  self_->ack_writes(handle_, true);
  if (over_tcp) core_->send_later(s.patience, atom::hello_due_v);
  return {
      [this](caf::io::new_data_msg& msg) { read(msg.buf); },
      [this](const caf::io::data_transferred_msg& msg) { bytes_taken(msg.written); },
      [this](const caf::io::connection_closed_msg&) { left(); },
      // An observer answers an event by returning from its handler.
      [this](const session_event& e) { happened(e); },
      [this](atom::notify, const front_end_event_ptr& e) { front_end_said(*e); },
      [this](atom::worked, const ipc_request_ptr& r, std::string& line) {
        requests_->finish_work(r, std::move(line));
      },
      [this](atom::has_read, const ipc_request_ptr& r, std::string& line) {
        disk_->done(r, std::move(line));
      },
      [this](atom::wait_over, std::uint64_t number) { events_->wait_timed_out(number); },
      [this](atom::look_stall) { check_progress(); },
      [this](atom::look_gone) {
        check_is_due_ = false;
        check_connected();
      },
      [this](atom::hello_due) { hello_timed_out(); },
      [this](atom::end_due) { end_now(); },
      [this](atom::listed) { list_changed(); },
      [this](const playback_status& status) { played(status); },
      [this](const recording_status& status) { recorded(status); },
  };
}

void ipc_connection_state::happened(const session_event& e) {
  events_->happened(e);
  flush();
}

void ipc_connection_state::list_changed() {
  events_->list_changed();
  flush();
}

void ipc_connection_state::played(const playback_status& status) {
  events_->played(status);
  flush();
}

void ipc_connection_state::recorded(const recording_status& status) {
  events_->recorded(status);
  flush();
}

void ipc_connection_state::front_end_said(const front_end_event& e) {
  if (!is_open() || !front_end_->is_attached()) return;
  front_end_->tell(e);
  flush();
  end_if_answered();
}

void ipc_connection_state::actor_ended(const caf::actor_addr& who) {
  requests_->actor_ended(who);
  events_->session_ended(who);
  flush();
}

void ipc_connection_state::hello_timed_out() {
  if (!requests_->is_admitted()) disconnect("did not send system.hello");
}

// --- lines that come -----------------------------------------------------------------------------

void ipc_connection_state::read(std::vector<char>& buffer) {
  std::string_view bytes{buffer.data(), buffer.size()};
  if (!bytes.empty() && bytes.back() == end_of_input) {
    // In this very handler: the descriptor stays readable, and the loop would spin.
    self_->halt(handle_);
    flow_.input_ended();
    bytes.remove_suffix(1);
  }
  if (flow_.refuses_input()) {
    flow_.discarded(bytes.size());
  } else {
    reading_lines_ = true;
    in_.feed(bytes);
    if (flow_.has_ended()) in_.finish();
    read_lines();
    reading_lines_ = false;
  }
  if (flow_.has_ended()) check_connected();
  flush();
}

void ipc_connection_state::read_lines() {
  while (is_open() && !flow_.refuses_input()) {
    auto line = in_.next();
    if (!line) {
      if (in_.overflowed()) refuse_long_line();
      return;
    }
    read_line(*line);
  }
}

namespace {

std::vector<io::protocol::reply_head> heads_of(const std::vector<io::protocol::request>& batch) {
  std::vector<io::protocol::reply_head> out;
  out.reserve(batch.size());
  for (const auto& r : batch)
    out.push_back(r.head);
  return out;
}

}  // namespace

void ipc_connection_state::read_line(std::string_view line) {
  if (std::exchange(first_line_, false) && io::protocol::looks_like_http(line))
    return disconnect("an HTTP client");
  auto memory = io::protocol::incoming::read(line, envelope_);
  auto& requests = memory->requests();
  envelope_ = requests.front().head.style;
  auto& lines = core_->lines;
  const bool unordered = !memory->is_batch() && requests.front().unordered;
  io::protocol::outgoing_lines::slot_ptr slot;
  if (memory->is_batch())
    slot = lines.reserve_batch(heads_of(requests));
  else if (!unordered)
    slot = lines.reserve();
  for (std::size_t i = 0; i < requests.size(); ++i) {
    auto r = std::make_shared<ipc_request>();
    r->memory = memory;
    r->what = io::protocol::prepare(requests[i]);
    if (i == 0) r->bytes = line.size();
    r->to = unordered ? lines.unordered() : io::protocol::outgoing_lines::place{slot, i};
    requests_->add(r);
  }
}

void ipc_connection_state::refuse_long_line() {
  flow_.refuse_input();
  auto slot = core_->lines.reserve();
  const auto style = io::protocol::envelope_of_unreadable(in_.overlong_beginning(), envelope_);
  const io::protocol::reply_head head{style, "null", true};
  core_->lines.reply(
      {slot, 0}, io::protocol::fault_line(
                     head, {io::protocol::fault_code::invalid_request,
                            fmt::format("a line may have at most {} bytes", io::protocol::max_line),
                            "send less at once; the connection is closed",
                            {{"max", io::protocol::max_line}}}));
  watch_progress();
}

// --- lines that leave ----------------------------------------------------------------------------

void ipc_connection_state::answered() {
  if (phase_ == phase_t::left) return quit_when_written();
  // The reply may be the one that names a stream, or may have held that back.
  if (!is_open()) return;
  events_->send_due();
  front_end_->tell_change();
  flush();
}

void ipc_connection_state::flush() {
  if (!is_open() || reading_lines_) return;
  if (core_->lines.has_queued()) {
    const auto lines = core_->lines.take();
    auto& buffer = self_->wr_buf(handle_);
    buffer.insert(buffer.end(), lines.begin(), lines.end());
    self_->flush(handle_);
    watch_progress();
  }
  take_flow_step();
}

void ipc_connection_state::bytes_taken(std::size_t count) {
  core_->lines.taken(count);
  if (is_open()) {
    events_->send_due();
    front_end_->tell_change();
  }
  flush();
  end_if_answered();
}

void ipc_connection_state::take_flow_step() {
  using step = io::protocol::connection_flow::step_t;
  // A window that sends no more has been closed.
  if (flow_.has_ended()) front_end_->detach();
  switch (flow_.next({.pending = core_->lines.pending_replies(),
                      .pending_bytes = requests_->bytes(),
                      .unsent = core_->lines.unsent(),
                      .held = core_->lines.held_bytes(),
                      .owes_events = events_->owes_anything()})) {
    case step::nothing: return;
    case step::read: return self_->trigger(handle_);
    case step::hold:
      self_->halt(handle_);
      return check_connected();  // from now on its end is not noticed by itself
    case step::end_output: ::shutdown(static_cast<int>(handle_.id()), SHUT_WR); return;
    case step::close: return close();
    case step::disconnect: return disconnect("kept sending after a line that was too long");
  }
}

void ipc_connection_state::watch_progress() {
  if (flow_.watch(core_->lines.taken_in_all()))
    core_->send_later(core_->settings->stall, atom::look_stall_v);
}

void ipc_connection_state::check_progress() {
  using progress = io::protocol::connection_flow::progress_t;
  const auto made = flow_.progress(core_->lines.taken_in_all(), core_->lines.in_socket());
  if (!is_open() || made == progress::not_needed) return;
  if (made == progress::some) return watch_progress();
  disconnect(flow_.refuses_input() ? "did not close after a line that was too long"
                                   : "does not read replies");
}

// --- the end -------------------------------------------------------------------------------------

/// A client that sends no more may still read. One that has hung up does not; the system says so
/// only when it is asked, since nothing is read from the socket any more.
void ipc_connection_state::check_connected() {
  if (!is_open() || requests_->is_client_gone()) return;
  if (peer_hung_up())
    requests_->client_gone();
  else
    check_connected_later();
}

bool ipc_connection_state::peer_hung_up() const {
  pollfd peer{static_cast<int>(handle_.id()), POLLRDHUP, 0};
  if (::poll(&peer, 1, 0) <= 0) return false;
  if ((peer.revents & (POLLHUP | POLLERR)) != 0) return true;
  // Over TCP it looks the same to hang up and to send no more.
  return !core_->settings->token.empty() && (peer.revents & POLLRDHUP) != 0 &&
         io::protocol::local_peer_hung_up(peer.fd);
}

/// As long as something is read or evaluated for it, or may be.
void ipc_connection_state::check_connected_later() {
  if (!requests_->may_take_long() && disk_->is_idle()) return;
  if (std::exchange(check_is_due_, true)) return;
  core_->send_later(core_->settings->look_for_client, atom::look_gone_v);
}

/// A window whose line is being evaluated has its answer first; the line would be entered again in
/// the process that runs the sessions next.
void ipc_connection_state::end(caf::error reason) {
  ending_ = std::move(reason);
  front_end_->refuse_lines();
  if (front_end_->awaits_answer() && is_open())
    core_->send_later(core_->settings->last_line, atom::end_due_v);
  else
    end_now();
}

void ipc_connection_state::end_if_answered() {
  if (ending_ && front_end_->is_attached() && !front_end_->awaits_answer() &&
      core_->lines.unsent() == 0)
    end_now();
}

/// The connection is closed at once, so what is written here is not left to the event loop.
void ipc_connection_state::end_now() {
  if (front_end_->is_attached() && is_open() && core_->lines.unsent() == 0) {
    front_end_->tell_end();
    const auto line = core_->lines.take();
    std::ignore = ::send(static_cast<int>(handle_.id()), line.data(), line.size(),
                         MSG_NOSIGNAL | MSG_DONTWAIT);
  }
  self_->quit(*ending_);
}

void ipc_connection_state::close() {
  phase_ = phase_t::closing;
  self_->close(handle_);
  self_->quit();
}

void ipc_connection_state::disconnect(const std::string& why) {
  if (!is_open()) return;
  phase_ = phase_t::closing;
  core_->settings->log(fmt::format("disconnected {} ({})", requests_->client().author, why));
  // A graceful end would wait for a reader that takes nothing.
  ::shutdown(static_cast<int>(handle_.id()), SHUT_RDWR);
  self_->close(handle_);
  left();
}

/// Nobody is there any more. What changes something was asked for all the same and is still done;
/// what was to be read is not, and evaluations end.
void ipc_connection_state::left() {
  if (phase_ == phase_t::left) return;
  phase_ = phase_t::left;
  requests_->client_gone();
  front_end_->detach();
  events_->clear();
  requests_->drop_reads();
  quit_when_written();
}

void ipc_connection_state::quit_when_written() {
  if (!requests_->has_writes()) self_->quit();
}

ipc_connection_actor::behavior_type ipc_connection(ipc_connection_state::pointer self,
                                                   caf::io::connection_handle hdl,
                                                   session_manager_actor sessions,
                                                   ipc_settings_ptr settings) {
  return self->state.start(hdl, std::move(sessions), std::move(settings));
}

static_assert(!std::is_aggregate_v<ipc_connection_state>);

}  // namespace fermata::actors
