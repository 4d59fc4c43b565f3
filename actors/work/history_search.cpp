#include "actors/work/history_search.hpp"

#include "actors/work/interruptible.hpp"
#include "actors/work/strand.hpp"

#include <caf/all.hpp>

namespace fermata::actors {

history_search_actor::behavior_type history_search(history_search_actor::pointer self,
                                                   worker_pool_ptr workers) {
  set_quiet_handlers(self);
  return {
      [self, work = strand{std::move(workers), work_kind::search}](atom::history_search,
                                                                   const history_search_job& job) {
        return work.answer<command_outcome>(self, [job]() -> caf::result<command_outcome> {
          auto outcome = interruptibly(job.interrupted, [&] {
            return run_command(job.command, *job.on, job.source, job.now, job.options);
          });
          return outcome ? std::move(*outcome) : refused("interrupted; nothing was changed");
        });
      },
  };
}

}  // namespace fermata::actors
