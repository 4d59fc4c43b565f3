#pragma once

#include "actors/session/idempotency_cache.hpp"
#include "actors/session/session_core.hpp"
#include "actors/session/turn_answers.hpp"
#include "actors/work/evaluation_lane.hpp"
#include "core/session/turn/fair_queue.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace fermata::actors {

/// Previews and proposals: evaluations of clients that commit nothing by themselves.
///
/// They run beside the turns, on the state that is visible when they begin, in lanes of their own:
/// they never delay the user, and those of one client never another's (fair_queue.hpp). One that
/// changes something becomes a proposal where its policy allows that.
class client_previews {
public:
  /// Lanes of a session are numbered; those here begin at `first_lane`.
  client_previews(session_core& core, std::uint32_t first_lane)
    : core_(core), first_lane_(first_lane) {}
  client_previews(const client_previews&) = delete;
  client_previews& operator=(const client_previews&) = delete;

  /// Errors: `busy` when too much is queued; `turn_bytes`: text of clients that waits elsewhere.
  void enter(remote_evaluation what, bool may_propose, std::size_t turn_bytes, answer_remote to);
  /// Text that is queued, in bytes.
  std::size_t bytes() const;
  bool is_idle() const;

  void restarted(std::uint32_t lane) { lanes_.at(lane - first_lane_).worker->restarted(); }
  void worker_down(const caf::down_msg& msg);
  void shut_down();
  void answer_all(const caf::error& reason);

private:
  struct job {
    remote_evaluation what;
    bool may_propose = false;
    answer_remote answer;
    std::string caller = {};
    std::size_t level = 0;  ///< how often it was demoted
  };
  struct lane {
    std::unique_ptr<evaluation_lane> worker;  ///< from when it is first needed
    std::optional<job> running;
  };

  void start_next();
  void begin(std::size_t lane, job j);
  void finish(std::size_t lane, const session_snapshot& base,
              caf::expected<evaluation_outcome> outcome);
  void propose(job j, const session_snapshot& base, const evaluation& e, remote_outcome answer);

  session_core& core_;
  std::uint32_t first_lane_;
  /// Two for what takes its whole time, one for what may take half a second, one for new jobs.
  std::array<lane, 4> lanes_;
  fair_queue<job> queue_{3};
};

/// What makes a request to evaluate the same as another one with its key.
keyed_request request_of(const remote_evaluation& what);

}  // namespace fermata::actors
