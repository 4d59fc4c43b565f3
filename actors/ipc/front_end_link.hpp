#pragma once

#include "actors/front_end.hpp"
#include "actors/ipc/connection_core.hpp"
#include "actors/ipc/open_requests.hpp"

#include <boost/json/object.hpp>

#include <atomic>
#include <functional>
#include <memory>
#include <optional>

namespace fermata::actors {

/// A window of the user that is attached over a connection: the lines it enters and its
/// notifications. Until it attaches, its requests are refused.
class front_end_link {
public:
  /// `attached` is called with the length that its lines may have.
  front_end_link(connection_core& core, open_requests& requests,
                 std::function<void(std::size_t max_line)> attached)
    : core_(core), requests_(requests), attached_(std::move(attached)) {}

  // Requests.
  void attach(const ipc_request_ptr& r, const io::protocol::attach_front_end& c);
  void open(const ipc_request_ptr& r, io::protocol::front_end_open& c);
  void change_session(const ipc_request_ptr& r, io::protocol::front_end_switch& c);
  void submit(const ipc_request_ptr& r, io::protocol::front_end_submit& c);
  void interrupt(const ipc_request_ptr& r);
  void control_playback(const ipc_request_ptr& r, const io::protocol::front_end_playback& c);

  /// Forwards an event of its front end to the window.
  void tell(const front_end_event& e);
  /// Notifies the window that its session changed, unless that was done already.
  void tell_change();
  /// Notifies the window that this process exits normally, not because of its line.
  void tell_end();

  bool is_attached() const { return window_.has_value(); }
  /// Whether its last line has not been answered.
  bool awaits_answer() const { return window_ && window_->cancelled; }
  /// Its lines are no longer accepted: it enters them in the next process.
  void refuse_lines() { accepts_lines_ = false; }
  /// The window was closed: the line it submitted is cancelled.
  void detach() { window_.reset(); }

private:
  struct window {
    window(caf::actor_system& system, session_manager_actor manager, front_end::listener hear,
           player_actor player, recorder_actor recorder)
      : port(system, std::move(manager), std::move(hear), std::move(player), std::move(recorder)) {}
    window(const window&) = delete;
    window& operator=(const window&) = delete;
    ~window() { interrupt(); }
    void interrupt() {
      if (!cancelled) return;
      cancelled->store(true);
      port.interrupt();
    }

    front_end port;
    io::protocol::envelope style = io::protocol::envelope::short_form;
    std::shared_ptr<std::atomic<bool>> cancelled;  ///< of the line that was submitted
    bool changed = false;                          ///< it has not been told of the last change
  };

  bool check_attached(const ipc_request_ptr& r);
  void accept(const ipc_request_ptr& r) { requests_.answer(r, {{"accepted", true}}); }
  void notify(const char* event, boost::json::object params);
  void notify_only(const char* event, boost::json::object params);

  connection_core& core_;
  open_requests& requests_;
  std::function<void(std::size_t)> attached_;
  std::optional<window> window_;
  bool accepts_lines_ = true;
};

}  // namespace fermata::actors
