// The socket: lines that come, the order of replies, the way out.

#include "actors/ipc/ipc_connection.hpp"

#include "actors/ipc/ipc_connection_detail.hpp"
#include "actors/ipc/unix_acceptor.hpp"
#include "io/protocol/envelope.hpp"
#include "io/protocol/tcp_listener.hpp"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>

namespace fermata::actors {

ipc_connection_state::ipc_connection_state(pointer ptr) : self_(ptr) {}
ipc_connection_state::~ipc_connection_state() { nobody_waits(); }

void ipc_connection_state::nobody_waits() {
  for (const auto& j : open_)
    j->interrupt();
}

/// A client that says no more may still listen. One that has hung up does not; the system says so
/// only when it is asked, since we do not read from it any more: it sends no more, or has so much
/// to be answered that it is not read.
void ipc_connection_state::check_disconnected() {
  if (gone_ || leaving_) return;
  pollfd peer{static_cast<int>(hdl_.id()), POLLRDHUP, 0};
  if (::poll(&peer, 1, 0) > 0)
    gone_ = (peer.revents & (POLLHUP | POLLERR)) != 0 ||
            // Over TCP it looks the same to hang up and to say no more.
            (!settings_->token.empty() && (peer.revents & POLLRDHUP) != 0 &&
             io::protocol::local_peer_hung_up(peer.fd));
  if (gone_)
    nobody_waits();
  else
    watch_for_hanging_up();
}

/// As long as something is read or evaluated for it, or may be. One reminder is on its way at a
/// time.
void ipc_connection_state::watch_for_hanging_up() {
  auto takes_long = [](const job_ptr& j) { return j->interrupted != nullptr; };
  if (order_.nothing_waits() && long_jobs_.empty() &&
      std::none_of(open_.begin(), open_.end(), takes_long))
    return;
  if (std::exchange(watching_for_end_, true)) return;
  remind(settings_->look_for_client, atom::look_gone::value);
}

// --- the socket ----------------------------------------------------------------------------------

ipc_connection_actor::behavior_type ipc_connection_state::start(
    caf::io::connection_handle handle, session_manager_actor session_manager,
    ipc_settings_ptr how) {
  hdl_ = handle;
  manager_ = std::move(session_manager);
  settings_ = std::move(how);
  self_->set_default_handler(caf::drop);
  self_->set_down_handler([this](caf::down_msg& msg) { session_down(msg.source); });
  self_->set_exit_handler([this](caf::exit_msg& msg) { end(msg.reason); });
  self_->configure_read(hdl_, caf::io::receive_policy::at_most(4096));
  self_->ack_writes(hdl_, true);
  if (!settings_->token.empty()) {
    admitted_ = false;
    who_.door = "tcp";
    remind(settings_->patience, atom::hello_due::value);
  }
  return {
      [this](caf::io::new_data_msg& msg) { bytes_came(msg.buf); },
      [this](const caf::io::data_transferred_msg& msg) { bytes_left(msg.written); },
      [this](const caf::io::connection_closed_msg&) { leave(); },
      // An observer answers an event by returning from its handler.
      [this](const session_event& e) { happened(e); },
      [this](atom::told, const front_end_event_ptr& e) { heard(*e); },
      [this](atom::worked, const job_ptr& j, std::string& line) { worked(j, std::move(line)); },
      [this](atom::has_read, const job_ptr& j, std::string& line) {
        long_job_done(j, std::move(line));
      },
      [this](atom::wait_over, std::uint64_t id) { waited_long_enough(id); },
      [this](atom::look_stall) { check_stall(); },
      [this](atom::look_gone) {
        watching_for_end_ = false;
        check_disconnected();
      },
      [this](atom::hello_due) { authentication_timed_out(); },
      [this](atom::end_due) { end_now(); },
      [this](atom::listed) { list_changed(); },
  };
}

void ipc_connection_state::bytes_came(std::vector<char>& buffer) {
  std::string_view bytes{buffer.data(), buffer.size()};
  if (!bytes.empty() && bytes.back() == end_of_input) {
    // In this very handler: the descriptor stays readable, and the loop would spin.
    self_->halt(hdl_);
    halted_ = true;
    ended_ = true;
    bytes.remove_suffix(1);
  }
  if (refusing_) {
    refused_bytes_ += bytes.size();
  } else {
    gathering_ = true;
    in_.feed(bytes);
    if (ended_) in_.finish();
    lines_came();
    gathering_ = false;
  }
  if (ended_) check_disconnected();
  flush();
}

void ipc_connection_state::lines_came() {
  while (!leaving_ && !refusing_) {
    auto line = in_.next();
    if (!line) {
      if (in_.overflowed()) line_too_long();
      return;
    }
    line_came(*line);
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

void ipc_connection_state::line_came(std::string_view line) {
  if (std::exchange(first_line_, false) && io::protocol::looks_like_http(line)) {
    disconnect("an HTTP client");
    return;
  }
  auto memory = io::protocol::incoming::read(line, spoken_);
  auto& requests = memory->requests();
  spoken_ = requests.front().head.style;
  std::shared_ptr<io::protocol::reply_queue::slot> slot;
  const bool unordered = !memory->is_batch() && requests.front().unordered;
  if (memory->is_batch())
    slot = replies_.reserve_batch(heads_of(requests));
  else if (!unordered)
    slot = replies_.reserve();
  for (std::size_t i = 0; i < requests.size(); ++i) {
    auto j = std::make_shared<job>();
    j->memory = memory;
    j->what = io::protocol::prepare(requests[i]);
    if (i == 0) j->bytes = line.size();
    pending_bytes_ += j->bytes;
    j->to = unordered ? replies_.unordered() : io::protocol::reply_queue::place{slot, i};
    begin(j);
  }
}

void ipc_connection_state::line_too_long() {
  refusing_ = true;
  auto slot = replies_.reserve();
  const auto style = io::protocol::envelope_of_unreadable(in_.overlong_beginning(), spoken_);
  const io::protocol::reply_head head{style, "null", true};
  replies_.fill({slot, 0},
                io::protocol::fault_line(
                    head, {fault_code::invalid_request,
                           fmt::format("a line may have at most {} bytes", io::protocol::max_line),
                           "send less at once; the connection is closed",
                           {{"max", io::protocol::max_line}}}),
                out_);
  watch_for_stall();
}

// --- the way out ---------------------------------------------------------------------------------

void ipc_connection_state::flush() {
  if (leaving_) return;
  if (!out_.empty()) {
    auto& buffer = self_->wr_buf(hdl_);
    buffer.insert(buffer.end(), out_.begin(), out_.end());
    unsent_ += out_.size();
    out_.clear();
    self_->flush(hdl_);
    watch_for_stall();
  }
  throttle();
}

void ipc_connection_state::bytes_left(std::size_t count) {
  unsent_ -= std::min(unsent_, count);
  taken_ += count;
  send_all_due();
  flush();
  end_when_answered();
}

void ipc_connection_state::throttle() {
  if (leaving_) return;
  const bool all_said = replies_.pending() == 0 && unsent_ == 0 && !owes_events();
  if (ended_) {
    // A window that sends no more has been closed.
    window_.reset();
    if (all_said) {
      leaving_ = true;
      self_->close(hdl_);
      self_->quit();
    }
    return;
  }
  if (refusing_) {
    // Closing now would lose the error: bytes that nobody read turn the close into a reset.
    if (all_said && !silent_) {
      silent_ = true;
      ::shutdown(static_cast<int>(hdl_.id()), SHUT_WR);
    }
    if (refused_bytes_ > 64 * io::protocol::max_line)
      disconnect("kept sending after a line that was too long");
    return;
  }
  const bool full = replies_.pending() >= settings_->max_pending ||
                    pending_bytes_ > settings_->max_pending_bytes ||
                    unsent_ > settings_->max_unsent || replies_.held_bytes() > settings_->max_held;
  if (full == halted_) return;
  halted_ = full;
  if (!full) return self_->trigger(hdl_);
  self_->halt(hdl_);
  check_disconnected();  // from now on that is not seen by itself
}

void ipc_connection_state::authentication_timed_out() {
  if (!admitted_) disconnect("did not send system.hello");
}

void ipc_connection_state::watch_for_stall() {
  if (watching_) return;
  watching_ = true;
  taken_then_ = taken_;
  remind(settings_->stall, atom::look_stall::value);
}

void ipc_connection_state::check_stall() {
  watching_ = false;
  if (leaving_ || (unsent_ == 0 && !refusing_)) return;
  if (taken_ == taken_then_)
    disconnect(refusing_ ? "did not close after a line that was too long"
                         : "does not read replies");
  else
    watch_for_stall();
}

void ipc_connection_state::disconnect(const std::string& why) {
  if (std::exchange(leaving_, true)) return;
  settings_->log(fmt::format("disconnected {} ({})", who_.author, why));
  // A graceful end would wait for a reader that takes nothing.
  ::shutdown(static_cast<int>(hdl_.id()), SHUT_RDWR);
  self_->close(hdl_);
  leave();
}

/// Nobody is there any more. What changes something was asked for all the same and is still done;
/// what was to be read is not, and evaluations end.
void ipc_connection_state::leave() {
  if (std::exchange(left_, true)) return;
  leaving_ = gone_ = true;
  nobody_waits();
  window_.reset();
  waiters_.clear();
  subscriptions_.clear();
  order_.drop_waiting([](const job_ptr& j) { return !j->writes; });
  std::erase_if(open_, [this](const job_ptr& j) { return !j->writes && !order_.is_under_way(j); });
  begin_ready();
  leave_when_done();
}

void ipc_connection_state::leave_when_done() {
  if (std::none_of(open_.begin(), open_.end(), [](const job_ptr& j) { return j->writes; }))
    self_->quit();
}

ipc_connection_actor::behavior_type ipc_connection(ipc_connection_state::pointer self,
                                                   caf::io::connection_handle hdl,
                                                   session_manager_actor sessions,
                                                   ipc_settings_ptr settings) {
  return self->state.start(hdl, std::move(sessions), std::move(settings));
}

static_assert(!std::is_aggregate_v<ipc_connection_state>);

}  // namespace fermata::actors
