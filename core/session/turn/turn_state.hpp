#pragma once

#include "core/lang/evaluation/evaluation_outcome.hpp"
#include "core/session/turn/turn_queue.hpp"

#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace fermata {

/// What is done when a turn has been written, or could not be, just before it is answered.
struct leave_session {
  std::string slug;  ///< this session, which is archived or deleted once nobody uses it
};
struct announce_name {};  ///< the manager learns that the session was renamed
struct keep_reloaded {};  ///< the external edit of the score file has been loaded
using after_turn = std::variant<leave_session, announce_name, keep_reloaded>;

/// Why a batch was not written.
struct write_failure {
  /// The disk refused it, and may take it later; else the session could not accept it.
  bool by_disk = false;
  std::string message;
  bool interrupted = false;  ///< Ctrl-C came before anything of it was written
};

/// The turn in progress, or one that was set aside while its search of the timeline runs.
struct running_turn {
  enum class phase_t : std::uint8_t {
    beginning,
    evaluating,
    running_command,  ///< a function of the session's state
    before_search,    ///< pending messages are being written first
    searching,        ///< old entries on disk are being read
    performing,       ///< an effect of its command
    writing,          ///< its last batch
  };
  turn_id id = 0;
  turn_request request;
  phase_t phase = phase_t::beginning;
  std::vector<transition> pending{};         ///< messages to be written with its command
  std::vector<entry_ptr> entries{};          ///< shown in it so far
  turn_effect effect{};                      ///< for the front end
  std::optional<command_outcome> command{};  ///< once it has run
  /// Of an evaluation, while its `(play ...)` is performed.
  std::optional<evaluation_outcome> evaluated{};
  std::optional<write_failure> broken{};  ///< of a batch that was not its last
  entry_ptr only_shows{};                 ///< of a command that changes nothing: its entry
  std::optional<after_turn> afterwards{};
};

/// The turns of one session: what waits, what runs, and what waits for a search.
struct turn_state {
  turn_queue waiting;
  std::unique_ptr<running_turn> running;  ///< 3 kB that a waiting session does not take
  std::map<turn_id, running_turn> aside;  ///< their searches run while other turns are taken
  struct resuming_turn {
    running_turn turn;
    command_outcome outcome;
  };
  std::list<resuming_turn> resuming;  ///< their searches are done: next, before all that wait
  /// Notes of a session that another process writes to: shown with the next answer, as entries
  /// without a number.
  std::vector<entry_ptr> unrecorded_notes;
  bool closing = false;

  /// Lines of front ends that are waiting, set aside or about to resume.
  std::size_t lines_waiting() const {
    return waiting.of_front_ends() + aside.size() + resuming.size();
  }
  bool is_idle() const { return !running && waiting.empty() && aside.empty() && resuming.empty(); }
  /// Whether the state of the session may be replaced by what another process wrote: no turn has
  /// decided anything on it. One that waits for the manager has not.
  bool is_state_replaceable() const {
    return !running || (running->command &&
                        std::holds_alternative<manager_effect>(running->command->requested_effect));
  }
};

}  // namespace fermata
