#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/lang/environment.hpp"
#include "core/score/score.hpp"
#include "core/session/entry.hpp"
#include "core/session/history.hpp"

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
  std::int64_t ticket = 0; ///< order of arrival, unique in the session
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
  std::uint64_t seen_revision = 0;   ///< what the client had seen
  score_delta delta;                 ///< against the score it was evaluated on
  std::string output_text;
  enum class state_t : std::uint8_t { open, accepted, rejected } state = state_t::open;
  std::string reason;                ///< of a rejection
  bool announced = false;            ///< the musician has been told
};

/// One step that `:undo` takes back: the change of one entry.
struct undo_step {
  score_delta delta;
  environment_ptr env_before, env_after;
  std::int64_t entry = 0;
};

/// Everything a session is, as a value. The session actor holds the current one; whoever asks gets
/// a pointer to it and may read it on any thread for as long as it likes.
struct session_state {
  session_meta meta;
  score_ptr score;
  environment_ptr env;
  fermata::history history;
  std::uint64_t revision = 0;               ///< committed changes of the score
  std::vector<queued_message> queue;
  std::int64_t next_ticket = 1;
  std::vector<proposal> proposals;
  std::vector<undo_step> undo, redo;
  remote_policy policy = remote_policy::ask;
  std::map<std::string, remote_policy, std::less<>> client_policies;
  std::map<std::string, std::string, std::less<>> settings; ///< `:set`: display, ...
};
using session_snapshot = std::shared_ptr<const session_state>;

} // namespace fermata
