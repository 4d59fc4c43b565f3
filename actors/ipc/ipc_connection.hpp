#pragma once

#include "actors/session/snapshot_board.hpp"
#include "actors/work/worker_pool.hpp"
#include "io/protocol/dispatch.hpp"
#include "io/protocol/reply_queue.hpp"
#include "io/protocol/request_order.hpp"
#include "io/text/line_decoder.hpp"
#include "messages/ipc_connection.hpp"
#include "messages/session_manager.hpp"

#include <caf/io/typed_broker.hpp>
#include <caf/send.hpp>
#include <caf/stateful_actor.hpp>

#include <chrono>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace fermata::actors {

/// Who a connection says we are, and how it behaves.
struct ipc_settings {
  /// Set for TCP, where anybody on the machine can connect: `system.hello` with this token comes
  /// first, within `patience`. Empty: the kernel has said that it is our own user.
  std::string token;
  std::chrono::milliseconds patience{10'000};
  /// Whoever shows this may enter lines in the user's name (front_end.attach). Empty: nobody.
  std::string attach_key;
  std::string instance;  ///< differs between runs
  std::string version;   ///< of the program
  std::string cwd;
  std::size_t max_pending = 256;  ///< unanswered requests, then the connection is not read
  std::size_t max_pending_bytes = 16u << 20;  ///< of these requests, then it is not read
  std::size_t max_unsent = 1u << 20;          ///< bytes the peer has not taken, then it is not read
  std::size_t max_held = 8u << 20;  ///< bytes that wait for an earlier reply, then it is not read
  /// How often it is looked whether somebody still waits for a long query.
  std::chrono::milliseconds look_for_client{1'000};
  std::chrono::milliseconds last_line{2'000};  ///< that a window's line may take at the end
  std::chrono::milliseconds stall{30'000};  ///< without taking a byte of a full queue: disconnected
  /// Where sessions pin up their states. A query reads there instead of asking: two wake-ups of
  /// other threads less. May be null.
  std::shared_ptr<snapshot_board> board;
  worker_pool_ptr workers;  ///< where long queries run; null: on the thread of the connection
  std::function<void(const std::string&)> log;  ///< for the operator, one line
};
using ipc_settings_ptr = std::shared_ptr<const ipc_settings>;

/// One client of the socket: one broker each, because connection handles are descriptors and are
/// used again. It owns the half line that has come, the order of replies, and what the client waits
/// for. It owns no state of any session: queries run on snapshots, here when they are quick and on
/// a worker when not; everything else becomes a message to the session manager or a session.
///
/// Order: replies leave in the order of their requests (reply_queue), except those asked for
/// `unordered`; requests begin in the order of io/protocol/request_order.hpp.
///
/// Bounds: with `max_pending` requests or `max_pending_bytes` of them unanswered or `max_unsent`
/// bytes untaken, no more is read from the socket, so the kernel holds the client back; what was
/// asked for before that is answered, however much it is, because a client that reads could not
/// help it. Events are made as the client takes them: with half of `max_unsent` untaken, what
/// happens waits as one event that stands for all. A client that takes nothing of a full queue for
/// `stall` is disconnected.
///
/// Ends: the client closed for writing -> all replies go out, then it is closed. The client
/// vanished -> what it asked for is done, in its order, and nobody is told, except that nothing is
/// looked for or evaluated any more; while something is, it is asked again and again whether the
/// client is there.
/// The client cancels one request -> it ends like that, and is answered.
/// The listener ends -> so does this at once, but for a window whose line is being answered.
/// A session died -> its requests are answered with `unavailable`. Too long a line -> an error,
/// then nothing is read as a request any more.
class ipc_connection_state {
public:
  using pointer = ipc_connection_actor::stateful_broker_pointer<ipc_connection_state>;
  static inline const char* name = "ipc_connection";

  /// A request on its way: lives until it is answered.
  using job = ipc_request;
  using job_ptr = ipc_request_ptr;

  explicit ipc_connection_state(pointer ptr);
  ~ipc_connection_state();
  ipc_connection_state(const ipc_connection_state&) = delete;
  ipc_connection_state& operator=(const ipc_connection_state&) = delete;

  ipc_connection_actor::behavior_type start(caf::io::connection_handle handle,
                                            session_manager_actor sessions, ipc_settings_ptr how);

private:
  struct waiter;
  struct subscription;
  struct observed;
  struct window;

  /// Tells this actor `what` after a while. Nobody is named as the sender: a broker keeps what
  /// comes after its end (CAF 0.17.6), and would keep itself with a message from itself.
  template <class Duration, class... What>
  void remind(Duration after, What... what) {
    caf::delayed_anon_send(ipc_connection_actor{self_}, after, std::move(what)...);
  }

  // what comes from the socket
  void bytes_came(std::vector<char>& buffer);
  void lines_came();
  void line_came(std::string_view line);
  void line_too_long();
  void bytes_left(std::size_t count);

  // a request on its way
  void begin(const job_ptr& j);
  void begin_ready();
  void carry_out(const job_ptr& j);
  void found_state(const job_ptr& j);
  void begin_query(const job_ptr& j);
  void run_query(const job_ptr& j);
  void run_beside(const job_ptr& j);
  void begin_long_job();
  void on_worker(work_kind kind, std::function<void()> work);
  void long_job_done(const job_ptr& j, std::string line);
  void worked(const job_ptr& j, std::string line);
  void refuse_broken(const job_ptr& j);
  void check_disconnected();
  void watch_for_hanging_up();
  void nobody_waits();
  void fetch_list(const job_ptr& j);
  void fetch_active(const job_ptr& j);
  session_snapshot pinned_up(std::string_view wanted) const;
  template <class Next>
  void with_session(const job_ptr& j, std::string_view wanted, Next next);
  template <class Next>
  void with_snapshot(const job_ptr& j, const session_ref& ref, Next next);
  template <class Next>
  void with_observed(const job_ptr& j, const session_ref& ref, Next next);
  void rely_on(const job_ptr& j, const caf::actor_addr& actor);
  template <class Handle>
  void rely_on(const job_ptr& j, const Handle& actor);
  void answered(const job_ptr& j, const boost::json::object& result);
  void refused(const job_ptr& j, const io::protocol::fault& why);
  void refused(const job_ptr& j, const caf::error& why);
  void finish(const job_ptr& j, std::string line);

  // commands
  void tell_of_move(const job_ptr& j, const session_ref& from, const session_ref& to);
  void perform(const job_ptr& j, io::protocol::say_hello& c);
  void perform(const job_ptr& j, io::protocol::post_message& c);
  void perform(const job_ptr& j, io::protocol::evaluate_text& c);
  void perform(const job_ptr& j, io::protocol::take_back& c);
  void perform(const job_ptr& j, io::protocol::answer_proposal& c);
  void perform(const job_ptr& j, io::protocol::create_session& c);
  void perform(const job_ptr& j, io::protocol::switch_session& c);
  void perform(const job_ptr& j, io::protocol::save_session& c);
  void perform(const job_ptr& j, io::protocol::wait_for_change& c);
  void perform(const job_ptr& j, io::protocol::subscribe_events& c);
  void perform(const job_ptr& j, io::protocol::unsubscribe_events& c);
  void perform(const job_ptr& j, io::protocol::give_up& c);
  void perform(const job_ptr& j, io::protocol::attach_front_end& c);
  void perform(const job_ptr& j, io::protocol::front_end_open& c);
  void perform(const job_ptr& j, io::protocol::front_end_switch& c);
  void perform(const job_ptr& j, io::protocol::front_end_submit& c);
  void perform(const job_ptr& j, io::protocol::front_end_interrupt& c);
  bool is_window(const job_ptr& j);
  void heard(const front_end_event& e);
  void tell_window(const char* event, boost::json::object params);
  void end(caf::error reason);
  void end_when_answered();
  void end_now();
  void give_up(const job_ptr& j);

  // what happens in sessions
  void happened(const session_event& e);
  void list_changed();
  void send_due(subscription& s);
  void tell_of_list(subscription& s);
  void send_all_due();
  bool owes_events() const;
  void read_on(subscription& s);
  void end_subscription(std::int64_t number);
  void catch_up(const job_ptr& j, const std::shared_ptr<subscription>& sub);
  void caught_up(const job_ptr& j, subscription sub);
  void waited_long_enough(std::uint64_t id);
  void session_down(const caf::actor_addr& who);

  // the way out
  void flush();
  void throttle();
  void authentication_timed_out();
  void watch_for_stall();
  void check_stall();
  void disconnect(const std::string& why);
  void leave();
  void leave_when_done();

  pointer self_;
  caf::io::connection_handle hdl_;
  session_manager_actor manager_;
  ipc_settings_ptr settings_;

  io::protocol::line_decoder in_;
  bool first_line_ = true;
  /// The last envelope that came: what says none itself is answered in it.
  io::protocol::envelope spoken_ = io::protocol::envelope::short_form;
  bool admitted_ = true;   ///< false on TCP until the token came
  bool ended_ = false;     ///< the client sends no more
  bool refusing_ = false;  ///< a line was too long: input is thrown away until the client stops
  std::size_t refused_bytes_ = 0;

  io::protocol::reply_queue replies_;
  std::string out_;          ///< lines that leave with the next flush
  std::size_t unsent_ = 0;   ///< bytes given to the socket that the peer has not taken
  std::uint64_t taken_ = 0;  ///< bytes it has taken in all
  bool gathering_ = false;   ///< lines are being read: replies leave together afterwards
  bool halted_ = false;
  bool watching_ = false;         ///< a check for a stalled reader is under way
  std::uint64_t taken_then_ = 0;  ///< `taken` when it began
  bool silent_ = false;           ///< we have closed for writing
  bool leaving_ = false;
  bool left_ = false;                 ///< there is no connection any more
  std::optional<caf::error> ending_;  ///< why, once the listener ends

  entry_source who_{"client", "ipc"};
  std::size_t pending_bytes_ = 0;  ///< of the requests that are not answered
  std::set<job_ptr> open_;         ///< so that a session that dies leaves nobody waiting
  /// Those that have not begun, and what they wait for. Their replies could not leave earlier
  /// anyway, except those of `unordered` ones.
  io::protocol::request_order<job_ptr> order_;
  bool beginning_ = false;  ///< begin_ready is on the stack
  /// What reads entries that lie on disk: queries, and what was missed by one who subscribes again.
  /// They block, so they run on the shared workers, and a connection has one of them at a time: the
  /// first of these is under way.
  std::deque<job_ptr> long_jobs_;
  bool watching_for_end_ = false;  ///< a look whether the client is gone is due
  bool gone_ = false;              ///< nobody is there any more to read replies
  std::set<caf::actor_addr> monitored_;
  std::map<std::string, observed, std::less<>> sessions_;  ///< observed ones, by slug
  std::map<std::uint64_t, waiter> waiters_;
  std::uint64_t next_waiter_ = 1;
  std::map<std::int64_t, subscription> subscriptions_;
  std::int64_t next_subscription_ = 1;
  std::unique_ptr<window> window_;  ///< null: this is a client and no terminal of the user's
};

/// The broker of one connection, made by the listener with `fork`.
ipc_connection_actor::behavior_type ipc_connection(ipc_connection_state::pointer self,
                                                   caf::io::connection_handle hdl,
                                                   session_manager_actor sessions,
                                                   ipc_settings_ptr settings);

}  // namespace fermata::actors
