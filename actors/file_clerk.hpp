#pragma once

#include "core/result.hpp"

#include <caf/all.hpp>
#include <caf/allowed_unsafe_message_type.hpp>

#include <functional>

namespace fermata::actors {

/// Something to be done with files.
struct file_job {
  std::function<result<void>()> run;
};

/// Does work on files for an actor that must not block, one job after another, on a thread of its
/// own. Answers when a job is done. Errors: failed, with what the system said.
using file_clerk_actor = caf::typed_actor<caf::replies_to<file_job>::with<void>>;
file_clerk_actor::behavior_type file_clerk(file_clerk_actor::pointer self);

}  // namespace fermata::actors

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(fermata::actors::file_job)
