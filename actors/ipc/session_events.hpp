#pragma once

#include "actors/ipc/disk_reads.hpp"
#include "io/protocol/change_condition.hpp"
#include "io/protocol/event_stream.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>

namespace fermata::actors {

/// What happens in sessions, for a client that waits for it or has subscribed to it. The sessions
/// that it asks for are observed from then on.
class session_events {
public:
  /// Streams of one connection.
  static constexpr std::size_t max_streams = 64;

  session_events(connection_core& core, open_requests& requests, disk_reads& disk)
    : core_(core), requests_(requests), disk_(disk) {}
  session_events(const session_events&) = delete;
  session_events& operator=(const session_events&) = delete;

  // Requests.
  void wait(const ipc_request_ptr& r, const session_ref& in,
            const io::protocol::wait_for_change& c);
  void subscribe(const ipc_request_ptr& r, const session_ref& to,
                 const io::protocol::subscribe_events& c);
  /// Returns whether the stream existed.
  bool unsubscribe(std::int64_t number) { return subscriptions_.erase(number) > 0; }
  bool is_full() const { return subscriptions_.size() >= max_streams; }

  // What happens.
  void happened(const session_event& e);
  void list_changed();
  void played(const playback_status& status);
  void recorded(const recording_status& status);
  void wait_timed_out(std::uint64_t number);
  void session_ended(const caf::actor_addr& who);
  /// Sends what is due, as far as the client takes it.
  void send_due();
  bool owes_anything() const;
  /// Nobody waits for anything any more.
  void clear();

private:
  struct observed {
    caf::actor_addr actor;
    session_snapshot last;
  };
  struct waiter {
    ipc_request_ptr of;
    std::string session;
    io::protocol::change_condition condition;
    std::set<std::string, std::less<>> kinds{};  ///< of what has happened since
  };
  struct subscription {
    std::int64_t number = 0;
    io::protocol::envelope style = io::protocol::envelope::json_rpc;
    std::string session;
    io::protocol::event_stream stream{};
    session_snapshot due_state{};            ///< as of the event that is due
    bool resumed = true;                     ///< from where its client asked for
    io::protocol::reply_queue::place reply;  ///< the one that names it; no event leaves before it
    /// What it missed and lies on disk, read beforehand; null: nothing.
    entry_loader_ptr missed{};
    bool reading = false;  ///< entries it has not been told of are being read
    bool wants_transport = false;
    std::optional<playback_status> transport_due{};  ///< where playback is; the newest only
    bool wants_recording = false;
    std::optional<recording_status> recording_due{};  ///< likewise
  };

  void with_observed(const ipc_request_ptr& r, const session_ref& ref,
                     std::function<void(const session_snapshot&)> next);
  void answer_wait(const waiter& w, const session_state& s, bool changed);
  void catch_up(const ipc_request_ptr& r, const std::shared_ptr<subscription>& sub);
  void caught_up(const ipc_request_ptr& r, subscription sub);
  void send_due(subscription& s);
  void send_without_entries(subscription& s, const char* what, boost::json::object more);
  void send_portion(subscription& s, const session_snapshot& now, std::int64_t up_to);
  void read_from_disk(subscription& s, std::int64_t up_to);
  void disk_read(std::int64_t number, const ipc_request_ptr& r, const entry_loader_ptr& entries,
                 std::int64_t up_to);
  void end_stream(std::int64_t number);

  connection_core& core_;
  open_requests& requests_;
  disk_reads& disk_;
  std::map<std::string, observed, std::less<>> sessions_;  ///< by slug
  std::map<std::uint64_t, waiter> waiters_;
  std::uint64_t next_waiter_ = 1;
  std::map<std::int64_t, subscription> subscriptions_;
  std::int64_t next_subscription_ = 1;
  bool observes_player_ = false, observes_recorder_ = false;
};

}  // namespace fermata::actors
