#include "actors/work/evaluator.hpp"

#include "actors/work/guarded.hpp"
#include "actors/work/strand.hpp"
#include "core/session/timeline/decide.hpp"

#include <caf/all.hpp>

#include <malloc.h>

#include <functional>
#include <utility>

namespace fermata::actors {

namespace {

/// What tells an evaluation to stop: the flag that Ctrl-C or a client sets, or the clock.
std::function<std::optional<errc>()> interruption(const evaluation_job& job, bool& out_of_time) {
  auto deadline = std::chrono::steady_clock::now() + job.wall_time;
  return [flag = job.cancelled, deadline, &out_of_time]() -> std::optional<errc> {
    if (is_set(flag)) return errc::cancelled;
    out_of_time = std::chrono::steady_clock::now() >= deadline;
    return out_of_time ? std::optional{errc::budget_exceeded} : std::nullopt;
  };
}

/// Prints the values in the worker, where it costs nobody else time and can be stopped.
void print_within_budget(evaluation_outcome& outcome) {
  try {
    memory_meter::stoppable from_here;
    outcome.printed = output_text(*outcome.what);
  } catch (const evaluation_stopped& stop) {
    outcome.what = fail(error_of(stop));
  }
}

/// The allocator keeps what is free for the next one who asks; this gives it to the system.
void give_memory_back() { ::malloc_trim(0); }

}  // namespace

bool is_large(const evaluation_outcome& outcome) {
  return outcome.peak_memory >= std::uint64_t{32} << 20;
}

bool is_set(const std::shared_ptr<std::atomic<bool>>& flag) {
  return flag && flag->load(std::memory_order_relaxed);
}

evaluation_outcome run(const evaluation_job& job, const evaluate_function& evaluate) {
  auto begin = std::chrono::steady_clock::now();
  auto request = job.request;
  evaluation_outcome outcome;
  request.interrupted = interruption(job, outcome.out_of_time);
  memory_meter meter{job.memory ? job.memory : std::make_shared<memory_pool>(),
                     request.interrupted};
  // A short one comes to its end without looking: who has seen ^C finds nothing changed.
  outcome.what = is_set(job.cancelled) ? interrupted_evaluation() : evaluate(request);
  if (outcome.what) print_within_budget(outcome);
  if (outcome.what && is_set(job.cancelled)) outcome.what = interrupted_evaluation();
  outcome.peak_memory = meter.peak();
  outcome.took = std::chrono::duration_cast<std::chrono::microseconds>(
      std::chrono::steady_clock::now() - begin);
  return outcome;
}

evaluator_actor::behavior_type evaluator(evaluator_actor::pointer self, evaluate_function evaluate,
                                         worker_pool_ptr workers) {
  set_quiet_handlers(self);
  // What gets here ends the worker; the error that the requester sees is an exit reason, so that
  // the lane can tell it from an answer.
  self->set_exception_handler([](caf::scheduled_actor*, std::exception_ptr&) -> caf::error {
    return caf::exit_reason::unhandled_exception;
  });
  // No answer waits for this.
  auto aside = [workers](std::function<void()> work) {
    if (workers)
      workers->run(work_kind::query, std::move(work));
    else
      work();
  };
  return {
      [self, evaluate = std::move(evaluate), workers, aside](atom::evaluate,
                                                             const evaluation_job& job) {
        return answer_from_worker<evaluation_outcome>(self, workers, job.kind,
                                                      [evaluate, job, aside] {
                                                        auto outcome = run(job, evaluate);
                                                        // Of what failed nothing is left.
                                                        if (is_large(outcome) && !outcome.what)
                                                          aside([] { give_memory_back(); });
                                                        return outcome;
                                                      });
      },
      [aside](evaluation_remains& remains) {
        aside([what = std::exchange(remains.what, nullptr)]() mutable {
          what.reset();
          give_memory_back();
        });
      },
      // What is under way is answered to nobody, and holds the worker until its end.
      [self](atom::stop) { self->quit(); },
  };
}

}  // namespace fermata::actors
