#pragma once

#include "core/error.hpp"
#include "core/lang/value/value.hpp"
#include "core/score/model/delta.hpp"
#include "core/session/timeline/environment_delta.hpp"

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace fermata {

/// Wall-clock time of an entry, UTC, milliseconds. Given from outside: the core reads no clock.
using timestamp = std::chrono::sys_time<std::chrono::milliseconds>;

/// Who caused something, through which door.
struct entry_source {
  std::string author = "user";    ///< "user", or the name a client gave in its hello
  std::string door = "terminal";  ///< "terminal" "script" "ipc" "mcp" "midi" "daw" "system"
  bool operator==(const entry_source&) const = default;
};

/// An expression that was evaluated, and everything that came of it.
struct eval_entry {
  std::string text;                  ///< as typed
  std::optional<value> input;        ///< the expression as data, when it could be read
  std::optional<value> output;       ///< the value, when there is one
  std::string output_text;           ///< as printed when it was shown
  std::vector<std::string> remarks;  ///< what it could not take along, one line each
  std::optional<error> failure;
  score_delta delta;  ///< what it changed in the score
  std::uint64_t revision_before = 0, revision_after = 0;
  std::optional<std::int64_t> proposal;  ///< the proposal whose acceptance this is
  environment_delta env_change;          ///< what it changed in the environment
};

/// A `:command` and what it printed. `:undo` and the like change score and environment.
struct command_entry {
  std::string text;
  std::string output;
  bool ok = true;
  score_delta delta;
  std::uint64_t revision_before = 0, revision_after = 0;
  environment_delta env_change;
};

/// Words from an AI client, committed when they were shown.
struct ai_message_entry {
  std::string content;
};

/// `// words` of the musician.
struct user_message_entry {
  std::string content;
};

/// Something that happened by itself: started, restored, a device came, an evaluator died.
struct system_entry {
  std::string event;  ///< short stable name: "restored", "session-restarted", "evaluator-restarted"
  std::string text;   ///< one sentence
};

using entry_kind =
    std::variant<eval_entry, command_entry, ai_message_entry, user_message_entry, system_entry>;

/// One event of the timeline. Indices are gapless from 1 in the order in which they were shown.
struct history_entry {
  std::int64_t index = 0;
  timestamp time;
  entry_source source;
  entry_kind kind;
};
using entry_ptr = std::shared_ptr<const history_entry>;

/// "eval" "command" "ai" "user" "system".
std::string_view kind_name(const entry_kind& k);
/// All of them, in that order.
const std::vector<std::string_view>& kind_names();

/// What an entry changed; null when it is of a kind that changes nothing.
const score_delta* delta_of(const history_entry& e);
const environment_delta* env_change_of(const history_entry& e);

/// Revision of the score after it; nothing for a kind that changes nothing.
std::optional<std::uint64_t> revision_after(const history_entry& e);

/// Whether an evaluation or a command failed.
bool is_failure(const history_entry& e);

}  // namespace fermata
