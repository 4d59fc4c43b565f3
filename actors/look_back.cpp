#include "actors/look_back.hpp"

#include "actors/strand.hpp"

#include <caf/all.hpp>

namespace fermata::actors {

look_back_actor::behavior_type look_back(look_back_actor::pointer self, worker_pool_ptr workers) {
  set_quiet_handlers(self);
  return {
      [self, work = strand{std::move(workers), work_kind::search}](atom::look_back,
                                                                   const look_back_job& job) {
        return work.answer<command_outcome>(self, [job] {
          return run_command(job.text, *job.on, job.source, job.now, job.telling);
        });
      },
  };
}

}  // namespace fermata::actors
