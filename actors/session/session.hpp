#pragma once

#include "actors/session/client_budget.hpp"
#include "actors/session/fair_queue.hpp"
#include "actors/session/idempotency_cache.hpp"
#include "actors/session/observers.hpp"
#include "actors/session/turn_kinds.hpp"
#include "actors/session/waiting_turns.hpp"
#include "actors/work/evaluation_lane.hpp"
#include "actors/work/file_clerk.hpp"
#include "actors/work/journal_writer.hpp"
#include "actors/work/worker_pool.hpp"
#include "core/session/commands/command.hpp"
#include "messages/history_search.hpp"
#include "messages/session.hpp"
#include "messages/session_manager.hpp"
#include "messages/store.hpp"

#include <caf/all.hpp>

#include <array>
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
  std::size_t turns_waiting = 64;  ///< of its front ends, and as many of all clients
  std::size_t turns_of_client = 16;
  std::size_t messages_waiting = 256;
  std::size_t message_bytes = std::size_t{64} * 1024;
  std::size_t messages_bytes = std::size_t{4} << 20;  ///< of all that wait
  /// Of what clients have asked for and that waits, of all together.
  std::size_t waiting_bytes = std::size_t{32} << 20;
  /// Of one client; of all together four times as many, beyond which each may have one.
  std::size_t previews_waiting = 64;
  std::size_t open_proposals = 100;
  std::chrono::milliseconds wall_time{10'000};  ///< of the musician's evaluations
  /// Of all evaluations of all sessions that have these limits.
  std::shared_ptr<memory_pool> memory = std::make_shared<memory_pool>();
  std::chrono::milliseconds remote_wall_time{5'000};  ///< of those of clients
  /// What a preview or proposal may take for the first and for the second time, before it waits for
  /// a lane in which it may take the whole time (fair_queue.hpp).
  std::array<std::chrono::milliseconds, 2> preview_slices{std::chrono::milliseconds{50},
                                                          std::chrono::milliseconds{500}};
  /// What clients may add to the journal: at most so much at once, and all together so much, of
  /// which a part comes back with time (client_budget.hpp).
  std::uint64_t client_line_bytes = std::uint64_t{16} << 20;
  std::uint64_t client_bytes = std::uint64_t{256} << 20,
                client_bytes_per_hour = std::uint64_t{64} << 20;
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
  other_open_sessions open_sessions;                     ///< for commands; may be null
  std::function<timestamp()> now;                        ///< the clock
  wall_clock clock{};                                    ///< by which the musician lives
  std::function<void(const session_snapshot&)> publish;  ///< told what is shown; may be null
  session_limits limits;
  worker_pool_ptr workers;  ///< where what blocks is done; null: on the actors' own thread
};

/// One session.
///
/// It owns the session's state and is the only one who changes it; its mailbox is the only place
/// where indices of the timeline are given out. The state itself is a value with pure functions
/// around it (core/session); here is only what has to do with time: who comes first, what is under
/// way, who waits for an answer.
///
/// Order. Turns (lines of the musician, permitted evaluations of clients, notes of the program)
/// wait in bounded queues and are taken strictly one after another: those of front ends first, then
/// one of each client in turn (waiting_turns.hpp). A turn begins in one
/// handler: what waits to be shown gets its indices, in the order of arrival, then the line is
/// classified and run. What arrives while it runs stays in the queue until the next line. So the
/// order in the reply is the order in the history is the order on the screen.
///
///     waiting --next_turn--> begin --expression--> evaluating --evaluated--> writing --> answered
///                              \--command, chat, empty line-------------------^
///
/// A command that looks at entries on disk does so in a worker of its own (history_search.hpp).
/// When it only tells, as `:history` does, it steps aside meanwhile: its index is given out when it
/// has its answer, and what others enter before that comes before it.
///
///     begin --looks back--> aside --looked_back--> resuming --next_turn--> writing
///
/// A client that repeats a request whose entry has gone to the disk is answered by another worker,
/// which a search does not hold up.
///
/// Evaluations run in a worker, on a snapshot. Meanwhile every query is answered at once from the
/// state that the store has last acknowledged. Previews and proposals have lanes of their own: they
/// never hold up the musician, and those of one client never another's (fair_queue.hpp).
///
/// Ctrl-C while a line waits gives it up: it comes first then, with nothing run, and the evaluation
/// of a client that it has waited for is stopped. What a client that has hung up asked for is
/// stopped as well.
///
/// A session that another process writes to is looked at: what shows something is answered, as
/// entries without a number; what would change anything is refused. So the timeline here is what
/// that process has, as of when it was read. It goes on in place when it is opened again.
///
/// Nothing is shown before it is written (journal_writer); but where nothing can be written, a
/// command that only shows what is there does so, outside of the timeline. Nothing is lost when a
/// worker dies (evaluation_lane). Every promise is answered: by its turn, by `stop`, or, when the
/// session itself is killed, by the destructor of this state. The manager then makes a new session
/// from the journal.
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
  session_snapshot observe(const session_observer_actor& who);
  void interrupt();
  caf::result<void> flush();
  unwritten_transitions unwritten() const { return {writer_->unwritten()}; }
  caf::result<void> stop();
  caf::result<bool> rest();
  void note(std::string what, std::string text);
  void open_again(opened_again what);
  void restarted(std::uint32_t lane);
  void down(const caf::down_msg& msg);

private:
  // The steps of a turn (session_turn.cpp).
  void next_turn();
  void begin(line_turn& t);
  void begin(remote_turn& t);
  void begin(note_turn& t);
  void give_up(line_turn& t);
  void begin_command(const line_turn& t, const std::string& text, std::vector<transition> waiting);
  void apply_command(const line_turn& t, command_outcome outcome, std::vector<transition> waiting);
  void history_search(const line_turn& t, const std::string& text, fermata::searches_history how);
  void looked_back(std::uint64_t number, caf::expected<command_outcome> outcome);
  void finish_history_search(command_outcome outcome);
  void show_first(std::vector<transition> waiting);
  void evaluate(std::string text, bool remote, std::shared_ptr<std::atomic<bool>> cancelled,
                std::optional<commit_rule> rule = std::nullopt);
  void evaluated(caf::expected<evaluation_outcome> outcome);
  void finish(line_turn& t, const evaluation_outcome& outcome);
  void finish(remote_turn& t, const evaluation_outcome& outcome);
  void finish(note_turn& t, const evaluation_outcome& outcome);
  void finish_command(const line_turn& t, const evaluation_effect& wish,
                      const evaluation_outcome& outcome);
  std::vector<transition> command_transitions(const session_state& s, const line_turn& t) const;
  void write_and_answer(std::vector<transition> batch);
  void written(caf::expected<session_snapshot> after_it);
  caf::expected<remote_outcome> outcome_of(const remote_turn& t, const session_state& s) const;
  void answer(caf::error reason);
  void answer_unwritten(const caf::error& reason);
  void do_afterwards(bool written);
  void end_turn();

  // What a command wishes, and the answers to it.
  void perform(const line_turn& t, std::monostate);
  void perform(const line_turn& t, evaluation_effect& wish);
  void perform(const line_turn& t, manager_effect& wish);
  void perform(const line_turn& t, save_effect& wish);
  void perform(const line_turn& t, score_file_effect& wish);
  void perform(const line_turn& t, reload_effect& wish);
  void ask_manager(const session_manager_actor& boss, const manager_effect& wish);
  void archive_session(const session_manager_actor& boss, const std::string& session,
                       bool to_trash);
  void reloaded(const io::offered_score& offered, caf::expected<evaluation_outcome> outcome);
  void perform(const line_turn& t, view_effect& wish);
  void renamed(const std::string& wanted, const std::string& called);
  void changed_to(const session_ref& other, std::string_view what);
  void listed(const std::vector<session_summary>& all, bool archived);
  void ask_for_confirmation(const session_manager_actor& boss, const std::string& session);
  void effect_done(std::string output, bool ok);
  session_manager_actor manager() const;

  // Score files (session_score_files.cpp).
  void with_files(std::function<result<void>()> work, std::function<void(caf::error)> then);
  void export_score(const std::string& file, bool replaces,
                    const std::shared_ptr<std::atomic<bool>>& cancelled);
  void read_score(const std::string& file, const std::shared_ptr<std::atomic<bool>>& cancelled);
  void read_program(const std::string& file, bool in_session,
                    const std::shared_ptr<std::atomic<bool>>& cancelled);
  void score_read(const std::string& file, const score_ptr& read, const std::string& remarks);
  void program_run(const std::string& file, const std::string& text,
                   caf::expected<evaluation_outcome> outcome);

  // What clients evaluate (session_proposing.cpp).
  void enter_preview(remote_evaluation what, bool may_propose, answer_remote to);
  void next_preview();
  void begin_preview(std::uint32_t lane, preview_job job);
  void previewed(std::uint32_t lane, session_snapshot base,
                 caf::expected<evaluation_outcome> outcome);
  void evaluator_died(const caf::error& reason);

  // The same request of a client again (session_repeating.cpp).
  std::optional<answer_any> admit(const keyed_request& what, answer_any to);
  bool was_answered(const keyed_request& what) const;
  void answer_again(const kept_answer& before, const keyed_request& what, answer_any to);
  void read_for(const kept_answer& before, const keyed_request& what, answer_any to);
  void entry_read(std::uint64_t number, const kept_answer& before, caf::expected<entry_ptr> entry);
  caf::expected<remote_answer> same_answer(const kept_answer& before, const entry_ptr& entry) const;

  // While another process writes to the session (read_only_session.cpp).
  bool is_only_read() const { return !writer_->shown()->written_by.empty(); }
  caf::error only_read() const;
  /// Whether clients have written as much to the journal as they may for now.
  std::optional<caf::error> over_budget();
  void charge(const journal_batch& batch);
  void say_beside(const note_turn& t);
  void answer_beside(const std::vector<transition>& batch);
  void go_on_with_what_was_read();

  evaluation_request request_for(std::string text, session_snapshot on) const;
  void shown(const journal_batch& batch);
  void checkpoint_when_due();
  bool turns_are_full() const {
    return turns_.of_front_ends().size() + aside_.size() + resuming_.size() >=
           limits_.turns_waiting;
  }
  /// Why a client's turn with this text cannot wait; nothing: it may.
  std::optional<caf::error> no_room_for_turn(const std::string& client, std::size_t bytes);
  bool no_room_for_text(std::size_t bytes) const;
  void answer_everybody(const caf::error& reason);
  bool is_unused() const;
  caf::error not_kept() const;

  pointer self_;
  session_limits limits_;
  std::optional<client_budget> client_budget_;
  std::function<timestamp()> now_;
  wall_clock clock_;
  history_lookup other_sessions_;
  other_open_sessions open_sessions_;
  std::function<void(const session_snapshot&)> publish_;
  caf::weak_actor_ptr manager_;
  std::string unkept_;
  worker_pool_ptr workers_;

  std::optional<journal_writer> writer_;
  std::optional<observers> observers_;
  evaluate_function evaluate_;
  std::optional<evaluation_lane> turn_lane_;
  idempotency_cache answers_;

  // Lists and pointers where mostly nothing is: an empty deque takes half a kilobyte, and there may
  // be a thousand sessions that wait for somebody to come back.
  waiting_turns turns_;
  history_search_actor reader_;  ///< started when it is first needed
  std::map<std::uint64_t, std::unique_ptr<running_turn>>
      aside_;  ///< by number, in the order in which they came
  std::uint64_t next_aside_ = 1;
  struct resuming_turn {
    std::unique_ptr<running_turn> turn;
    command_outcome outcome;
  };
  std::list<resuming_turn> resuming_;  ///< go before those that wait
  std::unique_ptr<running_turn> running_;
  bool advancing_ = false;  ///< next_turn is on the stack
  /// Two for what takes its whole time, one for what may take half a second, one for what comes
  /// for the first time. Each has a thread from when it is first needed.
  static constexpr std::uint32_t preview_lane_count = 4;
  struct preview_lane {
    std::unique_ptr<evaluation_lane> worker;
    std::optional<preview_job> job;  ///< under way
  };
  std::array<preview_lane, preview_lane_count> preview_lanes_;
  fair_queue<preview_job> previews_{3};              ///< wait
  file_clerk_actor clerk_;                           ///< while somebody waits for it
  std::map<std::uint64_t, answer_any> remembering_;  ///< wait for an entry on disk, by number
  std::uint64_t next_remembering_ = 1;

  std::vector<entry_ptr> said_beside_;      ///< notes that no timeline has, for the next answer
  std::optional<opened_again> read_again_;  ///< waits for the turn under way

  std::int64_t checkpointed_ = 0;  ///< entries that the last checkpoint holds
  bool stopping_ = false;
};
static_assert(!std::is_aggregate_v<session_actor_state>);

/// Spawned by the manager, or by a test.
session_actor::behavior_type session(session_actor_state::pointer self, session_setup setup);

}  // namespace fermata::actors
