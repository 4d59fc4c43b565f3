#pragma once

#include "core/session/commands/command.hpp"
#include "messages/evaluator.hpp"
#include "messages/session.hpp"

#include <caf/error.hpp>
#include <caf/expected.hpp>

#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace fermata::actors {

/// What waits in a session, and what is under way (see session.hpp). Each carries the way back to
/// the one who asked.
using answer_turn = std::function<void(caf::expected<turn>)>;
using answer_remote = std::function<void(caf::expected<remote_outcome>)>;

/// A line of the musician. `shows_waiting`: it comes from where messages are shown.
struct line_turn {
  submission line;
  bool shows_waiting = true;
  answer_turn answer;
  std::optional<std::uint64_t> expected_revision = std::nullopt;  ///< when its turn comes
  std::optional<kept_answer> kept = std::nullopt;  ///< of a client, with what was asked
};

/// An evaluation that a client may commit.
struct remote_turn {
  remote_evaluation what;
  answer_remote answer;
};

/// A System entry.
struct note_turn {
  std::string what, text;
};

/// The answer to a client whose revision is not the current one any more.
caf::error conflict(std::uint64_t expected, std::uint64_t current);

/// An exception in a handler, as the answer to whoever asked.
caf::error unexpected(const std::exception& e);

/// A fault of ours while an expression was evaluated, as what came of the expression.
evaluation_outcome fault(const caf::error& e);

/// What enters the score of a proposal. The musician tries things out with `:scratch on`; what is
/// laid before him to decide on is meant.
commit_rule rule_of_proposals(const session_state& s);

using turn_kind = std::variant<line_turn, remote_turn, note_turn>;

/// The turn under way; or one that has stepped aside and looks back while others go on.
struct running_turn {
  turn_kind kind;
  std::vector<entry_ptr> entries;  ///< committed in it so far
  turn_effect effect;
  std::optional<command_outcome> command;          ///< whose wish is being done
  std::optional<caf::error> broken;                ///< something could not be written
  std::uint64_t searches_history = 0;              ///< number of what it has a worker read
  std::shared_ptr<std::atomic<bool>> interrupted;  ///< of that
  bool writing = false;                            ///< its last batch is on its way
  entry_ptr only_shows;  ///< of a command that changes nothing: its entry, to be shown anyway
  std::function<void(bool written)> afterwards;  ///< to be done before it is answered
};

/// The entry of a command that changes nothing, when the batch ends with that and it is the
/// musician's; else null.
entry_ptr what_only_shows(const running_turn& t, const std::vector<transition>& batch);

/// Bytes of what it was asked with.
inline std::size_t text_bytes(const turn_kind& t) {
  if (auto line = std::get_if<line_turn>(&t)) return line->line.text.size();
  if (auto remote = std::get_if<remote_turn>(&t)) return remote->what.text.size();
  return std::get<note_turn>(t).text.size();
}

/// An evaluation of a client that commits nothing by itself.
struct preview_job {
  remote_evaluation what;
  bool may_propose = false;
  answer_remote answer;
  std::string caller = {};
  std::size_t level = 0;  ///< how often it has been put back (fair_queue.hpp)
};

}  // namespace fermata::actors
