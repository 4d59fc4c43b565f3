#pragma once

#include "core/lang/evaluation/evaluation_outcome.hpp"
#include "core/session/turn/turn_state.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace fermata {

/// How the turns of a session proceed, as a pure function: a state and an input give the next state
/// and actions for whoever runs the session (`actors/session/turn_runner.hpp`; tests run it without
/// actors). Each action with a result is followed by one input that carries it.
///
///     waiting -> beginning -> evaluating ----------------------> writing -> answered
///                          -> running_command -> performing ---^
///                          -> (before_search) -> searching ----^
///
/// A search that only shows entries is set aside: its entry gets its number when the result is
/// there, and turns entered meanwhile come before it.

/// What a batch of a turn is for.
enum class batch_purpose : std::uint8_t {
  pending,        ///< pending messages; the line is run meanwhile
  before_search,  ///< the same, and the line is run when they are written
  last,           ///< its answer follows
};

// --- inputs --------------------------------------------------------------------------------------

/// A new turn. `caller`: empty for front ends and notes.
struct turn_entered {
  turn_id id = 0;
  turn_request request;
  std::string caller{};
};
/// Turns were cancelled (Ctrl-C, a client that disconnected): `turn_context::is_cancelled` tells
/// which.
struct turns_cancelled {};
/// Result of `evaluate_text`.
struct text_evaluated {
  turn_id id = 0;
  evaluation_outcome outcome;
};
/// Result of `run_command_line`.
struct command_done {
  turn_id id = 0;
  command_outcome outcome;
};
/// Result of `search_timeline`; an error when the search itself failed.
struct search_done {
  turn_id id = 0;
  result<command_outcome> outcome;
};
/// Result of `perform_effect`: the command's output, and what is added to its outcome.
struct effect_done {
  std::string output{};
  bool ok = true;
  score_delta delta{};
  environment_delta env_change{};
  std::vector<journal_event> events{};
  turn_effect effect{};
  std::optional<after_turn> afterwards{};
  bool saved = false;  ///< everything is on disk: an earlier failure to write no longer counts
  turn_id id = 0;
};
/// Entries have become visible.
struct entries_shown {
  std::vector<entry_ptr> entries;
};
/// Result of `write_batch`.
struct batch_written {
  turn_id id = 0;
  batch_purpose purpose = batch_purpose::last;
  std::optional<write_failure> failure{};
};
/// Executing an action failed: its turn is answered with this. The actions of the same step for the
/// same turn (`turn_of`) must not be executed then.
struct action_failed {
  turn_id id = 0;
  std::string message;
};
/// Turns may begin again (`turn_context::may_begin`).
struct turns_resumed {};
/// No turn is begun any more; only one that is being written is still answered as usual.
struct turns_closed {};

using turn_input = std::variant<turn_entered, turns_cancelled, text_evaluated, command_done,
                                search_done, effect_done, entries_shown, batch_written,
                                action_failed, turns_resumed, turns_closed>;

// --- actions -------------------------------------------------------------------------------------

/// Writes transitions to the journal and makes them visible. They are planned at once, unless they
/// change the score: then their text may be long, and is made first. Until it is there the turn can
/// still be interrupted.
struct write_batch {
  turn_id id = 0;
  batch_purpose purpose = batch_purpose::last;
  std::vector<transition> batch;
  bool interruptible = false;
};
/// Evaluates an expression on the planned state.
struct evaluate_text {
  turn_id id = 0;
  std::string text;
  bool by_client = false;
  std::optional<commit_rule> rule{};  ///< else the session's
};
/// Runs a command on a state. Executed at once: its result is the next input. It may take long, so
/// it is interruptible.
struct run_command_line {
  turn_id id = 0;
  command_line command;
  session_snapshot on;
  entry_source source;
  bool accessible = false;
};
/// Runs a command that reads entries on disk, or that may take long, on the planned state.
struct search_timeline {
  turn_id id = 0;
  command_line command;
  entry_source source;
  bool accessible = false;
};
/// Performs what a command asks of the disk, the display or the session manager.
struct perform_effect {
  turn_id id = 0;
  command_effect effect;
  entry_source source;
  bool accessible = false;
};
/// Performed before the answer; `written`: whether the turn was.
struct perform_afterwards {
  turn_id id = 0;
  after_turn what;
  bool written = false;
};
/// Answers the requester of a line, with the state that is visible now.
struct answer_line {
  turn_id id = 0;
  std::vector<entry_ptr> entries;
  turn_effect effect;
  entry_listing_ptr listing;
};
/// Answers a client with the entry of its evaluation.
struct answer_client {
  turn_id id = 0;
  entry_ptr entry;
};
/// Answers a requester with an error.
struct refuse_turn {
  enum class reason_t : std::uint8_t {
    conflict,  ///< `expected_revision` is not the current `revision`
    not_permitted,
    not_evaluated,  ///< `cause`, in `source`
    no_expression,
    too_large,  ///< `bytes` more than a client may add at once
    read_only,
    cancelled_chat,
    not_written,  ///< the reason is that of the batch
    closing,
    internal,
  };
  turn_id id = 0;
  reason_t reason = reason_t::internal;
  std::string message{};
  std::string advice{};
  error cause{};
  std::string source{};
  std::uint64_t expected_revision = 0, revision = 0, bytes = 0;
};
/// Ends the evaluation of the turn, if one is running, or its writing, if that has not begun; the
/// result (cancelled) comes at once.
struct stop_evaluation {
  turn_id id = 0;
};
/// Marks a turn as cancelled, so that its work ends early.
struct cancel_work {
  turn_id id = 0;
};

using turn_action = std::variant<write_batch, evaluate_text, run_command_line, search_timeline,
                                 perform_effect, perform_afterwards, answer_line, answer_client,
                                 refuse_turn, stop_evaluation, cancel_work>;

/// The turn that an action is for.
turn_id turn_of(const turn_action& a);

// --- step ----------------------------------------------------------------------------------------

/// Context of a step.
struct turn_context {
  session_snapshot planned;  ///< with everything decided so far; decisions are made on it
  timestamp now;
  bool read_only = false;                          ///< another process writes to the session
  std::uint64_t client_bytes = ~std::uint64_t{0};  ///< that a client may add at once
  std::function<bool(turn_id)> is_cancelled;
  /// False: the session is about to be exchanged for what was read again; the next turn is decided
  /// on that, after `turns_resumed`.
  bool may_begin = true;
};

struct turn_step {
  turn_state state;
  std::vector<turn_action> actions;  ///< to be executed in this order
};

/// The next state. Never throws: what goes wrong inside is the answer to the running turn.
turn_step step(turn_state state, turn_input input, const turn_context& context);

/// What enters the score of a proposal. The user tries things out with `:scratch on`; a proposal
/// that is accepted is meant.
commit_rule rule_of_proposals(const session_state& s);

}  // namespace fermata
