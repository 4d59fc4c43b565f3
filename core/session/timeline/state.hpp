#pragma once

#include "core/lang/value/commit_rule.hpp"
#include "core/lang/value/environment.hpp"
#include "core/score/model/score.hpp"
#include "core/session/timeline/entry.hpp"
#include "core/session/timeline/environment_delta.hpp"
#include "core/session/timeline/history.hpp"
#include "core/session/timeline/persistent_list.hpp"
#include "core/session/timeline/shared_vector.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fermata {

/// Name and dates of a session. The slug is its id and its folder.
struct session_meta {
  std::string slug;
  std::string name;
  timestamp created, modified;
  std::vector<std::string> tags;
};

/// A message to be shown at the next Enter.
struct queued_message {
  std::int64_t ticket = 0;  ///< order of arrival, unique in the session
  timestamp arrived;
  entry_source source;
  std::string content;
};

/// What a client may do to the score: `ask` turns its evaluations into proposals.
enum class remote_policy : std::uint8_t { ask, preview, allow, deny };
std::string_view to_string(remote_policy p);
std::optional<remote_policy> parse_remote_policy(std::string_view text);

/// A client's evaluation that the user has not decided yet. Shown as Δn.
struct proposal {
  std::int64_t number = 0;
  timestamp made;
  entry_source source;
  std::string text;
  std::uint64_t seen_revision = 0;  ///< what the client had seen
  score_delta delta;                ///< relative to the score on which it was evaluated
  environment_delta env_change;     ///< relative to the environment in which it was evaluated
  std::uint64_t base_revision = 0;  ///< revision of that score
  std::string output_text;
  enum class state_t : std::uint8_t { open, accepted, rejected } state = state_t::open;
  std::string reason;      ///< of a rejection
  bool announced = false;  ///< the user has been told
};

/// Steps for `:undo` or `:redo`, the next one last: the numbers of the entries that made the
/// changes. The changes themselves are in the entries.
using undo_steps = shared_vector<std::int64_t>;

/// The name of the first branch of every session.
inline constexpr std::string_view main_branch = "main";

/// A branch: where it diverged from its parent, and, while another one is current, its head.
/// (Score, environment and steps of the current branch are in the session itself.)
struct branch {
  std::string name;
  std::string parent;        ///< empty: this is the first one
  std::int64_t from = 0;     ///< it diverged after this entry; 0: before the first one
  std::int64_t made_by = 0;  ///< the entry of the command; 0: the first branch
  timestamp made;
  /// The score that it has in common with its parent: the one at `from`. Later merges are in
  /// `session_state::merges`.
  score_ptr base;
  score_ptr score;
  environment_ptr env;
  undo_steps undo, redo;
};

/// From this entry on, another branch was current.
struct branch_move {
  std::int64_t entry = 0;
  std::string to;
  bool operator==(const branch_move&) const = default;
};

/// Measures of one branch were merged into another.
struct branch_merge {
  std::int64_t entry = 0;
  std::string into, from;
  score_ptr head;    ///< of the branch that was merged
  score_ptr common;  ///< the common score of both from then on
  bool taken_back = false;
};

/// The reply to a client for an idempotency key, so that a repeated request has no effect, even
/// after a restart.
struct kept_answer {
  std::string author, key;
  std::optional<std::int64_t> proposal, entry;  ///< what the request created
  std::string output_text, delta_summary;
  std::uint64_t revision = 0;
  bool changed = false;
  /// The request: the expression, the message, the number of steps; empty: unknown (old journal).
  std::string text{};
  std::string method{};  ///< "eval", "propose", "undo", "send_message"; empty: of an old journal
  std::optional<std::uint64_t> expected_revision{};
  std::optional<std::int64_t> ticket{};  ///< of the message that it created
  std::uint64_t waiting = 0;             ///< pending messages at that time, including this one
  bool operator==(const kept_answer&) const = default;
};

/// Maximum number of stored replies, fewer if their texts are larger in total; the last one is
/// always stored.
inline constexpr std::size_t most_answers = 256;
inline constexpr std::size_t most_answer_bytes = std::size_t{16} << 20;
std::size_t text_bytes(const kept_answer& a);

/// The complete state of a session, as a value. The session actor holds the current one; others get
/// a pointer to it and may read it on any thread for as long as they like.
struct session_state {
  session_meta meta;
  score_ptr score;
  environment_ptr env;
  fermata::history history;
  std::uint64_t revision = 0;  ///< number of committed changes to the score
  persistent_list<queued_message> queue;
  std::int64_t next_ticket = 1;
  persistent_list<proposal> proposals;  ///< open ones, and the last fifty decided ones
  std::int64_t next_proposal = 1;
  undo_steps undo, redo;            ///< of the current branch; at least the last ten thousand steps
  std::string branch{main_branch};  ///< the current one
  std::vector<fermata::branch> branches;  ///< all, with the current one; empty: there is only main
  std::vector<branch_move> branch_moves;  ///< in order
  std::vector<branch_merge> merges;       ///< in order
  persistent_list<kept_answer> answers;   ///< oldest first, see `most_answers`
  remote_policy policy = remote_policy::ask;
  std::map<std::string, remote_policy, std::less<>> client_policies;
  /// The policies of single clients before all clients were stopped, without permissions: they
  /// apply again when clients are allowed again, so that a client barred by name stays barred.
  std::map<std::string, remote_policy, std::less<>> policies_before_off;
  std::map<std::string, std::string, std::less<>> settings;  ///< `:set`: display, ...
  /// `commit` if the session does not set it: the value from config.toml. It is set by the process
  /// that opened the session; there is no event for it.
  commit_rule commit_by_default = commit_rule::notation;
  /// The other process that writes to the session ("process 12", "another process"): then the
  /// session is read-only here. Empty: none. It is set by the process that opened the session;
  /// there is no event for it.
  std::string written_by;
};
using session_snapshot = std::shared_ptr<const session_state>;

/// A session without music or history. `created` in decide.hpp makes its first entry.
session_state empty_session(session_meta meta);

/// The effective policy for a client: its own, otherwise the session's.
remote_policy policy_for(const session_state& s, std::string_view client);

/// What enters the score automatically: the session's setting `commit`, otherwise that of
/// config.toml.
commit_rule commit_rule_of(const session_state& s);

/// By number; null if there is none or if it was decided long ago.
const proposal* find_proposal(const session_state& s, std::int64_t number);

/// By name; null if there is none. In a session without branches, "main" is not in the list.
const branch* find_branch(const session_state& s, std::string_view name);

}  // namespace fermata
