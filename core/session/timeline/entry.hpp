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

/// Wall-clock time of an entry, UTC, milliseconds. An argument: the core reads no clock.
using timestamp = std::chrono::sys_time<std::chrono::milliseconds>;

/// Author of an entry, and the channel.
struct entry_source {
  std::string author = "user";       ///< "user", or the name a client gave in its hello
  std::string channel = "terminal";  ///< "terminal" "script" "ipc" "mcp" "midi" "daw" "system"
  bool operator==(const entry_source&) const = default;
};

/// An evaluated expression and its results.
struct eval_entry {
  std::string text;                  ///< as typed
  std::optional<value> input;        ///< the expression as data, if it could be read
  std::optional<value> output;       ///< the value, if there is one
  std::string output_text;           ///< as printed
  std::vector<std::string> remarks;  ///< what it had to drop, one line each
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

/// A message of a client, committed when it is shown.
struct ai_message_entry {
  std::string content;
};

/// `// text` of the user.
struct user_message_entry {
  std::string content;
};

/// An event without an author: started, restored, a device connected, an evaluator terminated.
struct system_entry {
  std::string event;  ///< short stable name: "restored", "session-restarted", "evaluator-restarted"
  std::string text;   ///< one sentence
};

using entry_kind =
    std::variant<eval_entry, command_entry, ai_message_entry, user_message_entry, system_entry>;

/// An entry of the timeline. Indices are gapless from 1, in the order in which they were shown.
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

/// The change of an entry; null for kinds that change nothing.
const score_delta* delta_of(const history_entry& e);
const environment_delta* env_change_of(const history_entry& e);

/// Revision of the score after it; empty for kinds that change nothing.
std::optional<std::uint64_t> revision_after(const history_entry& e);

/// Whether an evaluation or a command failed.
bool is_failure(const history_entry& e);

}  // namespace fermata
