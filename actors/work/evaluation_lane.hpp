#pragma once

#include "actors/work/evaluator.hpp"
#include "messages/session.hpp"

#include <caf/stateful_actor.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <cstdint>
#include <functional>
#include <optional>

namespace fermata::actors {

/// A lane in which a session evaluates: one worker, one job at a time, watched.
///
/// The session has one in which the turns of the timeline follow each other, and a few for clients'
/// previews and proposals, so that neither waits for the other. The worker is started when it is
/// first needed.
///
/// When the worker dies, its DOWN and the bounce of a job that it never read arrive in either
/// order. The job is kept and given to the next worker; only when a second one dies of it does it
/// fail
/// (`internal`). Restarts are delayed by 10 ms, doubling up to 1 s, until a job succeeds.
///
///     idle --start--> running --evaluated--> idle
///                        |  ^
///                  DOWN  v  |  restarted (the same job again)
///                     waiting for a new worker
class evaluation_lane {
public:
  using done = std::function<void(caf::expected<evaluation_outcome>)>;

  /// `number` tells the lanes of one session apart. `on_death` hears of each worker that died.
  evaluation_lane(session_actor::pointer self, std::uint32_t number, evaluate_function evaluate,
                  worker_pool_ptr workers, std::function<void(const caf::error&)> on_death);

  /// Tells the running evaluation to stop; the worker ends when nobody holds it any more.
  ~evaluation_lane();
  evaluation_lane(const evaluation_lane&) = delete;
  evaluation_lane& operator=(const evaluation_lane&) = delete;

  bool is_idle() const { return !job_; }
  /// Precondition: idle. `then` is called once, in a later handler of the session.
  void start(evaluation_job job, done then);
  /// Tells the running evaluation to stop; its outcome comes as usual.
  void cancel();
  /// The same, but the requester has the outcome at once, before this returns. The worker may need
  /// a while to let go of what it has made; it ends afterwards, and the next evaluation gets a new
  /// one. That does no harm, since evaluation is pure.
  void abandon();

  /// The session's DOWN handler passes everything here.
  void worker_down(const caf::down_msg& msg);
  /// The delay after a death is over.
  void restarted();
  /// Ends the worker. The requester of the job is no longer notified.
  void shut_down();

private:
  void spawn_worker();
  void send();
  void settle(std::uint64_t generation, caf::expected<evaluation_outcome> outcome);
  void failed(std::uint64_t generation, caf::error reason);

  session_actor::pointer self_;
  std::uint32_t number_;
  evaluate_function evaluate_;
  worker_pool_ptr workers_;
  std::function<void(const caf::error&)> on_death_;

  evaluator_actor worker_;
  std::uint64_t generation_ = 0;  ///< of the worker; answers of an older one are too late
  bool waits_for_restart_ = false;
  int deaths_in_a_row_ = 0;

  std::optional<evaluation_job> job_;
  done then_;
  int deaths_of_job_ = 0;
};

}  // namespace fermata::actors
