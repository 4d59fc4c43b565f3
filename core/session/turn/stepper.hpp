#pragma once

#include "core/session/turn/step.hpp"

#include <utility>
#include <vector>

namespace fermata {

/// One step under way; the implementation of `step`. Its members are in step.cpp (order of turns),
/// begin_turn.cpp, finish_turn.cpp (results of evaluations and commands) and answer_turn.cpp.
class stepper {
public:
  stepper(turn_state& state, const turn_context& context) : s_(state), c_(context) {}

  std::vector<turn_action> take_actions() { return std::exchange(actions_, {}); }
  /// Takes one input; may throw.
  void take(turn_input&& input);
  /// Begins turns as long as nothing is running.
  void advance();
  /// Answers the running turn with an unexpected error.
  void fail_running(const char* what);

private:
  // Inputs (step.cpp, finish_turn.cpp).
  void on(turn_entered& in);
  void on(turns_cancelled&);
  void on(text_evaluated& in);
  void on(command_done& in);
  void on(search_done& in);
  void on(effect_done& in);
  void on(entries_shown& in);
  void on(batch_written& in);
  void on(action_failed& in);
  void on(turns_resumed&) {}
  void on(turns_closed&);

  // The beginning of a turn (begin_turn.cpp).
  void begin(line_request& line);
  void begin(client_request& client);
  void begin(note_request& note);
  void begin_cancelled(const line_request& line);
  void begin_command(const line_request& line, std::vector<transition> pending);
  void search();

  // Results (finish_turn.cpp).
  void finish_line(const line_request& line, const evaluation_outcome& outcome,
                   const session_state& on);
  bool plays_something(const evaluation_outcome& outcome);
  void play_first(evaluation_outcome outcome);
  void finish_evaluation(const evaluation_outcome& outcome);
  void finish_client(const client_request& client, const evaluation_outcome& outcome);
  void finish_command_evaluation(const line_request& line, const evaluation_outcome& outcome);
  void command_ran(command_outcome outcome);
  void finish_effect(std::string output, bool ok);
  std::vector<transition> transitions_of_command(const session_state& on,
                                                 const line_request& line) const;

  // Writing and answering (answer_turn.cpp).
  void write_first(std::vector<transition> batch);
  void write_last(std::vector<transition> batch);
  void answer_written();
  void answer_read_only(const std::vector<transition>& batch);
  void answer_unwritten(const write_failure& failure);
  void answer_interrupted();
  void not_written(const write_failure& failure);
  void refuse(refuse_turn refusal);
  void do_afterwards(bool written);
  void end_turn();

  void act(turn_action a) { actions_.push_back(std::move(a)); }
  running_turn& running() { return *s_.running; }
  /// Whether this turn is running and waits for a result of this kind.
  bool is_in(turn_id id, running_turn::phase_t phase) const {
    return s_.running && s_.running->id == id && s_.running->phase == phase;
  }
  const session_state& planned() const { return *c_.planned; }

  turn_state& s_;
  const turn_context& c_;
  std::vector<turn_action> actions_;
};

/// The state after transitions that were decided in the same step.
session_state state_after(session_state s, const std::vector<transition>& transitions);

/// A refusal because another process writes to the session.
refuse_turn refused_read_only();

}  // namespace fermata
