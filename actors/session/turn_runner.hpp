#pragma once

#include "actors/session/effect_performer.hpp"
#include "actors/session/session_core.hpp"
#include "actors/session/turn_answers.hpp"
#include "actors/work/evaluation_lane.hpp"
#include "core/session/turn/step.hpp"
#include "messages/history_search.hpp"

#include <atomic>
#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>

namespace fermata::actors {

/// Runs the turns of a session: passes inputs to `step` (core/session/turn/step.hpp) and executes
/// the actions that it answers. What it knows of requesters, and `step` does not, is where to send
/// the answer and the flag that cancels their work.
///
/// An action may have its result before it returns (where nothing is written, or an evaluation is
/// stopped). Inputs are therefore queued, and taken one after another.
class turn_runner {
public:
  /// `after_step` is called when all inputs so far have been taken.
  /// `may_begin`: whether the next turn may begin before that.
  turn_runner(session_core& core, std::uint32_t lane, std::function<void()> after_step,
              std::function<bool()> may_begin);
  turn_runner(const turn_runner&) = delete;
  turn_runner& operator=(const turn_runner&) = delete;

  /// A line of a front end.
  void enter(submission line, answer_turn to);
  /// A command by name, without its text being parsed: of the user, whose terminal shows pending
  /// messages, or of a client (`caller` not empty).
  void enter(line_request command, std::string caller, answer_turn to);
  /// An evaluation that its policy lets a client commit; `kept`: recorded for repetitions.
  void enter(remote_evaluation what, std::optional<kept_answer> kept, answer_remote to);
  void note(std::string event, std::string text);

  /// Flags of requesters were set.
  void cancelled() { feed(turns_cancelled{}); }
  /// What `may_begin` waited for is done.
  void resume() { feed(turns_resumed{}); }
  /// Entries have become visible.
  void shown(std::vector<entry_ptr> entries);
  /// Everything that is not being written already is answered with `closing`.
  void close();
  /// The same for the rest, when the session itself ends.
  void answer_all(const caf::error& reason);

  const turn_state& state() const { return state_; }
  /// The front end whose line is running; 0: none.
  std::uint64_t front_end_served() const;
  void forget_unrecorded_notes() { state_.unrecorded_notes.clear(); }
  evaluation_lane& lane() { return lane_; }

private:
  struct requester {
    answer_turn line;
    answer_remote client;
    std::shared_ptr<std::atomic<bool>> cancelled;
    std::string source_text;      ///< of a client
    terminal_of_line terminal{};  ///< of a line
    std::uint64_t front_end = 0;  ///< of a line
    caf::error write_error{};     ///< why its batch was not written
  };

  void feed(turn_input input);
  turn_context context() const;
  requester& add(turn_id id, std::shared_ptr<std::atomic<bool>> cancelled);
  requester* find(turn_id id);
  std::optional<requester> take(turn_id id);

  static bool is_answer(const turn_action& a);
  /// The answer to a turn that has ended and whose own answer could not be made.
  void refuse_internal(turn_id id, const std::string& why);

  void write(write_batch a, journal_writer::lines lines = {});
  void make_lines(write_batch a);
  void lines_made(std::uint64_t number, journal_writer::lines lines);

  // Actions.
  void execute(write_batch& a);
  void execute(evaluate_text& a);
  void execute(run_command_line& a);
  void execute(search_timeline& a);
  void execute(perform_effect& a);
  void execute(perform_afterwards& a);
  void execute(answer_line& a);
  void execute(answer_client& a);
  void execute(refuse_turn& a);
  void execute(stop_evaluation& a);
  void execute(cancel_work& a);

  session_core& core_;
  evaluation_lane lane_;
  effect_performer performer_;
  std::function<void()> after_step_;
  std::function<bool()> may_begin_;
  history_search_actor searcher_;  ///< started when it is first needed

  /// The last batch of the running turn, while its lines are being made.
  struct batch_in_the_making {
    std::uint64_t number;
    write_batch batch;
    std::shared_ptr<std::atomic<bool>> stop;
  };
  std::optional<batch_in_the_making> in_the_making_;
  std::uint64_t batches_made_ = 0;

  turn_state state_;
  turn_id next_id_ = 1;
  std::map<turn_id, requester> requesters_;
  std::list<turn_input> inputs_;  ///< mostly empty: a deque takes 2.5 kB then
  bool stepping_ = false;
};

}  // namespace fermata::actors
