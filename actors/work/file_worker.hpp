#pragma once

#include "actors/work/worker_pool.hpp"
#include "messages/file_worker.hpp"

namespace fermata::actors {

/// It owns nothing: jobs come whole, and an error is all that is left of one.
file_worker_actor::behavior_type file_worker(file_worker_actor::pointer self,
                                             worker_pool_ptr workers, work_kind kind);

}  // namespace fermata::actors
