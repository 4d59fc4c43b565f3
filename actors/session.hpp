#pragma once

#include "actors/evaluation_lane.hpp"
#include "actors/journal_writer.hpp"
#include "actors/observers.hpp"
#include "actors/remote_answers.hpp"
#include "actors/turn_kinds.hpp"
#include "core/session/command.hpp"
#include "messages/look_back.hpp"
#include "messages/session.hpp"
#include "messages/session_manager.hpp"
#include "messages/store.hpp"

#include <caf/all.hpp>

#include <cstddef>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace fermata::actors {

/// What a session may hold before it says `busy`, and how long things may take.
struct session_limits {
  std::size_t turns_waiting = 64;
  std::size_t messages_waiting = 256;
  std::size_t message_bytes = std::size_t{64} * 1024;
  std::size_t previews_waiting = 64;
  std::size_t open_proposals = 100;
  std::chrono::milliseconds wall_time{10'000};        ///< of the musician's evaluations
  std::chrono::milliseconds remote_wall_time{5'000};  ///< of those of clients
  std::int64_t entries_between_checkpoints = 100;
  std::int64_t entries_in_memory = 10'000;
};

/// Everything a session is started with.
struct session_setup {
  session_snapshot state;
  store_actor store;  ///< null: nothing is kept
  /// Why there is no store where there should be one: whoever asks for something to be on the disk
  /// is told. Empty: there is one, or nobody expects it.
  std::string unkept;
  entry_loader_ptr loader;      ///< old entries on disk; null: all stay in memory
  caf::weak_actor_ptr manager;  ///< null: commands that need it fail
  evaluate_function evaluate;
  history_lookup other_sessions;                         ///< for `$Out[slug:n]`; may be null
  std::function<timestamp()> now;                        ///< the clock
  std::function<void(const session_snapshot&)> publish;  ///< told what is shown; may be null
  session_limits limits;
  bool detached = true;  ///< workers get threads of their own; tests say no
};

/// One session.
///
/// It owns the session's state and is the only one who changes it; its mailbox is the only place
/// where indices of the timeline are given out. The state itself is a value with pure functions
/// around it (core/session); here is only what has to do with time: who comes first, what is under
/// way, who waits for an answer.
///
/// Order. Turns (lines of the musician, permitted evaluations of clients, notes of the program)
/// wait in one bounded queue and are taken strictly one after another. A turn begins in one
/// handler: what waits to be shown gets its indices, in the order of arrival, then the line is
/// classified and run. What arrives while it runs stays in the queue until the next line. So the
/// order in the reply is the order in the history is the order on the screen.
///
///     waiting --next_turn--> begin --expression--> evaluating --evaluated--> writing --> answered
///                              \--command, chat, empty line-------------------^
///
/// A command that looks at entries on disk does so in a worker of its own (look_back.hpp). When it
/// only tells, as `:history` does, it steps aside meanwhile: its index is given out when it has its
/// answer, and what others enter before that comes before it.
///
///     begin --looks back--> aside --looked_back--> resuming --next_turn--> writing
///
/// Evaluations run in a worker, on a snapshot. Meanwhile every query is answered at once from the
/// state that the store has last acknowledged. Previews and proposals have a lane of their own and
/// never hold up the musician.
///
/// Nothing is shown before it is written (journal_writer). Nothing is lost when a worker dies
/// (evaluation_lane). Every promise is answered: by its turn, by `stop`, or, when the session
/// itself is killed, by the destructor of this state. The manager then makes a new session from the
/// journal.
class session_actor_state {
public:
  using pointer = session_actor::stateful_pointer<session_actor_state>;
  static inline const char* name = "session";

  explicit session_actor_state(pointer self);
  ~session_actor_state();
  session_actor_state(const session_actor_state&) = delete;
  session_actor_state& operator=(const session_actor_state&) = delete;

  void start(session_setup setup);

  // In the order of the interface.
  caf::result<turn> submit(submission line);
  session_snapshot snapshot() const { return writer_->shown(); }
  caf::result<message_receipt> enqueue(incoming_message message);
  caf::result<remote_outcome> propose(remote_evaluation what);
  caf::result<remote_outcome> preview(remote_evaluation what);
  caf::result<turn> undo(remote_undo what);
  caf::result<turn> resolve(proposal_answer what);
  session_snapshot observe(const caf::actor& who);
  caf::result<void> flush();
  caf::result<void> stop();
  void note(std::string what, std::string text);
  void restarted(std::uint32_t lane);
  void down(const caf::down_msg& msg);

private:
  // The steps of a turn (session_turn.cpp).
  void next_turn();
  void begin(line_turn& t);
  void begin(remote_turn& t);
  void begin(note_turn& t);
  void begin_command(const line_turn& t, const std::string& text, std::vector<transition> waiting);
  void apply_command(const line_turn& t, command_outcome outcome, std::vector<transition> waiting);
  void look_back(const line_turn& t, const std::string& text, fermata::looks_back how);
  void looked_back(std::uint64_t number, caf::expected<command_outcome> outcome);
  void finish_looking_back(command_outcome outcome);
  void show_first(std::vector<transition> waiting);
  void evaluate(std::string text, bool remote, std::shared_ptr<std::atomic<bool>> cancelled);
  void evaluated(caf::expected<evaluation_outcome> outcome);
  void finish(line_turn& t, const evaluation_outcome& outcome);
  void finish(remote_turn& t, const evaluation_outcome& outcome);
  void finish(note_turn& t, const evaluation_outcome& outcome);
  void finish_command(const line_turn& t, const evaluation_wish& wish,
                      const evaluation_outcome& outcome);
  std::vector<transition> command_transitions(const session_state& s, const line_turn& t) const;
  void write_and_answer(std::vector<transition> batch);
  void written(caf::expected<session_snapshot> after_it);
  caf::expected<remote_outcome> outcome_of(const remote_turn& t, const session_state& s) const;
  void answer(caf::error reason);
  void do_afterwards(bool written);
  void end_turn();

  // What a command wishes, and the answers to it.
  void do_wish(const line_turn& t, std::monostate);
  void do_wish(const line_turn& t, evaluation_wish& wish);
  void do_wish(const line_turn& t, manager_wish& wish);
  void do_wish(const line_turn& t, save_wish& wish);
  void do_wish(const line_turn& t, reload_wish& wish);
  void do_wish(const line_turn& t, json_wish& wish);
  void ask_manager(const session_manager_actor& boss, const manager_wish& wish);
  void put_away(const session_manager_actor& boss, const std::string& session, bool to_trash);
  void reloaded(const std::string& text, caf::expected<evaluation_outcome> outcome);
  void do_wish(const line_turn& t, view_wish& wish);
  void renamed(const std::string& wanted, const std::string& called);
  void changed_to(const session_ref& other, std::string_view what);
  void listed(const std::vector<session_summary>& all, bool archived);
  void wish_done(std::string output, bool ok);
  session_manager_actor manager() const;

  // The lane of previews and proposals.
  caf::result<remote_outcome> enter_preview(remote_evaluation what, bool may_propose);
  void next_preview();
  void previewed(session_snapshot base, caf::expected<evaluation_outcome> outcome);

  evaluation_request request_for(std::string text, session_snapshot on) const;
  void shown(const journal_batch& batch);
  void checkpoint_when_due();
  bool turns_are_full() const {
    return turns_.size() + aside_.size() + resuming_.size() >= limits_.turns_waiting;
  }
  void answer_everybody(const caf::error& reason);
  caf::error not_kept() const;

  pointer self_;
  session_limits limits_;
  std::function<timestamp()> now_;
  history_lookup other_sessions_;
  std::function<void(const session_snapshot&)> publish_;
  caf::weak_actor_ptr manager_;
  std::string unkept_;
  bool detached_ = true;

  std::optional<journal_writer> writer_;
  std::optional<observers> observers_;
  std::optional<evaluation_lane> turn_lane_, preview_lane_;
  remote_answers<remote_outcome> answers_;
  remote_answers<message_receipt> receipts_;
  remote_answers<turn> undone_;

  // Lists and pointers where mostly nothing is: an empty deque takes half a kilobyte, and there may
  // be a thousand sessions that wait for somebody to come back.
  std::list<turn_kind> turns_;  ///< wait
  look_back_actor reader_;      ///< started when it is first needed
  std::map<std::uint64_t, std::unique_ptr<running_turn>>
      aside_;  ///< by number, in the order in which they came
  std::uint64_t next_aside_ = 1;
  struct resuming_turn {
    std::unique_ptr<running_turn> turn;
    command_outcome outcome;
  };
  std::list<resuming_turn> resuming_;  ///< go before those that wait
  std::unique_ptr<running_turn> running_;
  bool advancing_ = false;           ///< next_turn is on the stack
  std::list<preview_job> previews_;  ///< wait
  std::optional<preview_job> previewing_;

  std::int64_t checkpointed_ = 0;  ///< entries that the last checkpoint holds
  bool stopping_ = false;
};
static_assert(!std::is_aggregate_v<session_actor_state>);

/// Spawned by the manager, or by a test.
session_actor::behavior_type session(session_actor_state::pointer self, session_setup setup);

}  // namespace fermata::actors
