#pragma once

#include "actors/work/worker_pool.hpp"
#include "messages/file_clerk.hpp"

namespace fermata::actors {

/// It owns nothing: jobs come whole, and an error is all that is left of one.
file_clerk_actor::behavior_type file_clerk(file_clerk_actor::pointer self, worker_pool_ptr workers,
                                           work_kind kind);

}  // namespace fermata::actors
