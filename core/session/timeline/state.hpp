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

/// Name and dates of a session. The slug is its id and its directory.
struct session_meta {
  std::string slug;
  std::string name;
  timestamp created, modified;
  std::vector<std::string> tags;
};

/// Words that wait to be shown at the next Enter.
struct queued_message {
  std::int64_t ticket = 0;  ///< order of arrival, unique in the session
  timestamp arrived;
  entry_source source;
  std::string content;
};

/// What an AI client may do to the score: `ask` makes its evaluations proposals.
enum class remote_policy : std::uint8_t { ask, preview, allow, deny };
std::string_view to_string(remote_policy p);
std::optional<remote_policy> parse_remote_policy(std::string_view text);

/// A remote evaluation that waits for the musician. Shown as Δn.
struct proposal {
  std::int64_t number = 0;
  timestamp made;
  entry_source source;
  std::string text;
  std::uint64_t seen_revision = 0;  ///< what the client had seen
  score_delta delta;                ///< against the score it was evaluated on
  environment_delta env_change;     ///< against the environment it was evaluated in
  std::uint64_t base_revision = 0;  ///< revision of that score
  std::string output_text;
  enum class state_t : std::uint8_t { open, accepted, rejected } state = state_t::open;
  std::string reason;      ///< of a rejection
  bool announced = false;  ///< the musician has been told
};

/// Steps that `:undo` takes back, or that `:redo` makes again, the next one last: the indices of
/// the entries that made the changes. What they changed is in the entries.
using undo_steps = shared_vector<std::int64_t>;

/// The name of the branch that every session begins with.
inline constexpr std::string_view main_branch = "main";

/// A line of work beside others: where it left its parent, and, while another one is current, where
/// it stands. (Of the current branch score, environment and steps are in the session itself.)
struct branch {
  std::string name;
  std::string parent;        ///< empty: this is the first one
  std::int64_t from = 0;     ///< it left its parent after this entry; 0: before the first one
  std::int64_t made_by = 0;  ///< the entry of the command; 0: it was always there
  timestamp made;
  /// The score that it has in common with its parent: as it was at `from`. What was merged since is
  /// in `session_state::merges`.
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

/// Measures of one branch were taken into another.
struct branch_merge {
  std::int64_t entry = 0;
  std::string into, from;
  score_ptr head;    ///< of the branch that they were taken from
  score_ptr common;  ///< what both have in common from then on
  bool taken_back = false;
};

/// What a client was answered under an idempotency key, so that the same key does nothing again,
/// also after a restart.
struct kept_answer {
  std::string author, key;
  std::optional<std::int64_t> proposal, entry;  ///< what it made
  std::string output_text, delta_summary;
  std::uint64_t revision = 0;
  bool changed = false;
  /// What was asked: the expression, the words, the number of steps; empty: of an older journal,
  /// which does not say.
  std::string text{};
  std::string method{};  ///< "eval", "propose", "undo", "send_message"; empty: of an older journal
  std::optional<std::uint64_t> expected_revision{};
  std::optional<std::int64_t> ticket{};  ///< of the message that it made
  std::uint64_t waiting = 0;             ///< messages then, that one included
  bool operator==(const kept_answer&) const = default;
};

/// As many answers are kept at most, and fewer when their texts have more bytes together; the last
/// one always.
inline constexpr std::size_t most_answers = 256;
inline constexpr std::size_t most_answer_bytes = std::size_t{16} << 20;
std::size_t text_bytes(const kept_answer& a);

/// Everything a session is, as a value. The session actor holds the current one; whoever asks gets
/// a pointer to it and may read it on any thread for as long as it likes.
struct session_state {
  session_meta meta;
  score_ptr score;
  environment_ptr env;
  fermata::history history;
  std::uint64_t revision = 0;  ///< committed changes of the score
  persistent_list<queued_message> queue;
  std::int64_t next_ticket = 1;
  persistent_list<proposal> proposals;  ///< open ones, and the last fifty that were decided
  std::int64_t next_proposal = 1;
  undo_steps undo, redo;            ///< of the current branch; at least the last ten thousand steps
  std::string branch{main_branch};  ///< the current one
  std::vector<fermata::branch> branches;  ///< all, the current one too; empty: there is only main
  std::vector<branch_move> branch_moves;  ///< in order
  std::vector<branch_merge> merges;       ///< in order
  persistent_list<kept_answer> answers;   ///< oldest first, see `most_answers`
  remote_policy policy = remote_policy::ask;
  std::map<std::string, remote_policy, std::less<>> client_policies;
  /// What was said of single clients before all were stopped, permissions aside: it holds again
  /// when clients may do something again, so that who was barred by name stays barred.
  std::map<std::string, remote_policy, std::less<>> policies_before_off;
  std::map<std::string, std::string, std::less<>> settings;  ///< `:set`: display, ...
  /// `commit` where the session says nothing: that of config.toml. It holds for whoever has opened
  /// the session; no event says it.
  commit_rule commit_by_default = commit_rule::notation;
  /// Who else writes to the session ("process 12", "another process"): here it is only looked at,
  /// and nothing can be changed. Empty: nobody. It holds for whoever has opened it; no event says
  /// it.
  std::string written_by;
};
using session_snapshot = std::shared_ptr<const session_state>;

/// A session without music and without a past. Its first entry is made by `created` in decide.hpp.
session_state empty_session(session_meta meta);

/// The policy that holds for a client: its own, else the session's.
remote_policy policy_for(const session_state& s, std::string_view client);

/// What enters the score by itself: the session's setting `commit`, else that of config.toml.
commit_rule commit_rule_of(const session_state& s);

/// By number; null when there is none, or when it was decided long ago.
const proposal* find_proposal(const session_state& s, std::int64_t number);

/// By name; null when there is none. Of a session that never branched, "main" is not in the list.
const branch* find_branch(const session_state& s, std::string_view name);

}  // namespace fermata
