#pragma once

#include "actors/work/worker_pool.hpp"
#include "messages/file_worker.hpp"

namespace fermata::actors {

/// Stateless: a job carries all of its data, and only its error is returned.
file_worker_actor::behavior_type file_worker(file_worker_actor::pointer self,
                                             worker_pool_ptr workers, work_kind kind);

}  // namespace fermata::actors
