#include "actors/evaluator.hpp"

#include "actors/guarded.hpp"

#include <caf/all.hpp>

namespace fermata::actors {

namespace {

/// What tells an evaluation to stop: the flag that Ctrl-C or a client sets, or the clock.
std::function<std::optional<errc>()> interruption(const evaluation_job& job) {
  auto deadline = std::chrono::steady_clock::now() + job.wall_time;
  return [flag = job.cancelled, deadline]() -> std::optional<errc> {
    if (flag && flag->load(std::memory_order_relaxed)) return errc::cancelled;
    if (std::chrono::steady_clock::now() >= deadline) return errc::budget_exceeded;
    return std::nullopt;
  };
}

}  // namespace

evaluation_outcome run(const evaluation_job& job, const evaluate_function& evaluate) {
  auto begin = std::chrono::steady_clock::now();
  auto request = job.request;
  request.interrupted = interruption(job);
  evaluation_outcome outcome{evaluate(request), {}};
  outcome.took = std::chrono::duration_cast<std::chrono::microseconds>(
      std::chrono::steady_clock::now() - begin);
  return outcome;
}

evaluator_actor::behavior_type evaluator(evaluator_actor::pointer self,
                                         evaluate_function evaluate) {
  set_quiet_handlers(self);
  // What gets here ends the worker; the error that the requester sees is an exit reason, so that
  // the lane can tell it from an answer.
  self->set_exception_handler([](caf::scheduled_actor*, std::exception_ptr&) -> caf::error {
    return caf::exit_reason::unhandled_exception;
  });
  return {
      [evaluate = std::move(evaluate)](atom::evaluate, const evaluation_job& job) {
        return guarded<evaluation_outcome>([&] { return run(job, evaluate); });
      },
  };
}

}  // namespace fermata::actors
