#pragma once

#include "core/result.hpp"

#include <caf/allowed_unsafe_message_type.hpp>
#include <caf/fwd.hpp>
#include <caf/replies_to.hpp>
#include <caf/typed_actor.hpp>

#include <functional>

namespace fermata {

/// A job on files.
struct file_job {
  std::function<result<void>()> run;
};

/// Does work on files for an actor that must not block, one job after another, on one of the shared
/// workers.
using file_worker_actor = caf::typed_actor<
    // INTERNAL. Does the job, then replies. Errors: failed, with the error of the system.
    caf::replies_to<file_job>::with<void>>;

}  // namespace fermata

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(fermata::file_job)
