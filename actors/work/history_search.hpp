#pragma once

#include "actors/work/worker_pool.hpp"
#include "messages/history_search.hpp"

namespace fermata::actors {

/// A worker that runs commands which look back: `:history`, `:blame`, `:diff`, and what goes back
/// to an earlier state. It owns nothing; a job is a snapshot, and only the session commits what
/// comes of it. A session starts one when it first has entries on disk to look at, and it ends with
/// the session; a search whose flag is set (interruptible_entries) ends at once.
history_search_actor::behavior_type history_search(history_search_actor::pointer self,
                                                   worker_pool_ptr workers);

}  // namespace fermata::actors
