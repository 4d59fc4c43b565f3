#pragma once

#include "actors/session/client_previews.hpp"
#include "actors/session/observers.hpp"
#include "actors/session/repeated_requests.hpp"
#include "actors/session/session_core.hpp"
#include "actors/session/session_setup.hpp"
#include "actors/session/turn_runner.hpp"
#include "messages/session.hpp"

#include <caf/stateful_actor.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>

namespace fermata::actors {

/// One session.
///
/// It owns the session's state and is the only one that changes it; its mailbox is the only place
/// where entries of the timeline get their numbers. The state is a value with pure functions around
/// it (core/session); the order of turns is a pure function too (core/session/turn/step.hpp). This
/// class is the table of messages; its parts execute what was decided:
///
/// - `turn_runner`: turns one after another, lines of front ends first, clients in turn;
/// - `client_previews`: evaluations of clients that commit nothing, beside the turns;
/// - `repeated_requests`: the answers to requests that a client repeats with its key;
/// - `journal_writer`: nothing is shown before it is written, and queries are answered at once
///   from what has been written.
///
/// Ctrl-C cancels a line that waits: it comes first then, with nothing run, and an evaluation of a
/// client that it has waited for is stopped. Requests of a client that disconnects are cancelled
/// too.
///
/// A session that another process writes to is read-only: what shows something is answered, as
/// entries without a number; what would change anything is refused. It becomes writable in place
/// when it is opened again.
///
/// Every request is answered: by its turn, by `stop`, or, when the session is killed, by the
/// destructor of this state. The manager then makes a new session from the journal.
class session_actor_state {
public:
  using pointer = session_actor::stateful_pointer<session_actor_state>;
  static inline const char* name = "session";

  explicit session_actor_state(pointer self);
  ~session_actor_state();
  session_actor_state(const session_actor_state&) = delete;
  session_actor_state& operator=(const session_actor_state&) = delete;

  void start(const session_setup& setup);

  // In the order of the interface.
  caf::result<turn> submit(submission line);
  session_snapshot snapshot() const { return core_->shown(); }
  caf::result<message_receipt> enqueue(incoming_message message);
  caf::result<remote_outcome> propose(remote_evaluation what);
  caf::result<remote_outcome> preview(remote_evaluation what);
  caf::result<turn> undo(remote_undo what);
  caf::result<turn> perform(requested_command what);
  caf::result<turn> resolve(proposal_answer what);
  session_snapshot observe(const session_observer_actor& who);
  void unobserve(const session_observer_actor& who);
  void interrupt() { turns_->cancelled(); }
  caf::result<void> flush();
  unwritten_transitions unwritten() const { return {core_->writer->unwritten()}; }
  caf::result<void> stop();
  caf::result<bool> unload();
  void note(std::string event, std::string text);
  void open_again(opened_again what);
  void restarted(std::uint32_t lane);
  void down(const caf::down_msg& msg);

private:
  std::optional<caf::error> no_room_for_turn_of(const std::string& caller, std::size_t bytes) const;
  /// Queues the command of a client, or of the program itself.
  caf::result<turn> enter(const command_request& what, const entry_source& source);

  void write_with(const session_snapshot& state, const store_actor& store,
                  const entry_loader_ptr& loader);
  void batch_shown(const journal_batch& batch);
  void checkpoint_when_due();
  void switch_to_reopened();
  bool is_unused() const;
  void shut_down_lanes();
  void answer_all(const caf::error& reason);

  pointer self_;
  std::optional<session_core> core_;
  std::function<void(const session_snapshot&)> publish_;
  std::optional<observers> observers_;
  std::optional<turn_runner> turns_;
  std::optional<client_previews> previews_;
  std::optional<repeated_requests> repeated_;
  std::optional<opened_again> reopened_;  ///< waits for the running turn
  std::int64_t checkpointed_ = 0;         ///< entries in the last checkpoint
};
static_assert(!std::is_aggregate_v<session_actor_state>);

/// Spawned by the manager, or by a test.
session_actor::behavior_type session(session_actor_state::pointer self, session_setup setup);

}  // namespace fermata::actors
