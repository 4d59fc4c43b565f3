#pragma once

#include "actors/work/worker_pool.hpp"
#include "messages/evaluator.hpp"

#include <functional>

namespace fermata::actors {

/// What evaluates: `fermata::evaluate` in the program, one that crashes or stalls in a test.
using evaluate_function = std::function<result<evaluation>(const evaluation_request&)>;

/// A worker that evaluates.
///
/// It owns nothing but the job it is busy with: a job is a snapshot, the outcome goes back to the
/// session, and only the session commits. So a worker may die at any time and the job may be given
/// to another one: evaluation is pure, running it twice does no harm.
///
/// Evaluation holds its thread for as long as it takes, so it runs on one of the shared workers:
/// the scheduler's threads stay free for queries. The wall-time budget begins with the evaluation,
/// not with the request: time in the queue is not counted.
evaluator_actor::behavior_type evaluator(evaluator_actor::pointer self, evaluate_function evaluate,
                                         worker_pool_ptr workers);

/// Whether this flag is set; false if there is none.
bool is_set(const std::shared_ptr<std::atomic<bool>>& flag);

/// Whether it took so much memory that it is worth giving back to the system.
bool is_large(const evaluation_outcome& outcome);

/// Runs the job, in this thread.
evaluation_outcome run(const evaluation_job& job, const evaluate_function& evaluate);

}  // namespace fermata::actors
