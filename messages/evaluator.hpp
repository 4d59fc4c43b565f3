#pragma once

#include "core/lang/evaluation/evaluation_outcome.hpp"
#include "core/memory_meter.hpp"
#include "messages/atoms.hpp"
#include "messages/work_kind.hpp"

#include <caf/allowed_unsafe_message_type.hpp>
#include <caf/fwd.hpp>
#include <caf/replies_to.hpp>
#include <caf/typed_actor.hpp>

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <string>

namespace fermata {

/// One evaluation for a worker: a snapshot, and how to stop it.
struct evaluation_job {
  evaluation_request request;                    ///< `interrupted` is set by the worker
  std::shared_ptr<std::atomic<bool>> cancelled;  ///< set from any thread; may be null
  std::chrono::milliseconds wall_time{10'000};   ///< from the start of the evaluation
  std::shared_ptr<memory_pool> memory;           ///< of all evaluations; null: one of its own
  work_kind kind = work_kind::turn;              ///< on whose threads it runs
};

/// Results of an evaluation that may no longer be needed. Destroying millions of values takes a
/// while, so the worker does it.
struct evaluation_remains {
  std::shared_ptr<const evaluation> what;
};

/// A worker: runs one evaluation after another and keeps no state in between.
using evaluator_actor = caf::typed_actor<
    // INTERNAL. Evaluates; cancel flag and wall time are checked every few thousand steps. If the
    // flag is already set, nothing is run.
    caf::replies_to<atom::evaluate, evaluation_job>::with<evaluation_outcome>,
    // INTERNAL. Destroys results, and returns the memory to the system.
    caf::reacts_to<evaluation_remains>,
    // INTERNAL. Terminates the worker after its current evaluation.
    caf::reacts_to<atom::stop>>;

}  // namespace fermata

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(fermata::evaluation_job)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(fermata::evaluation_outcome)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(fermata::evaluation_remains)
