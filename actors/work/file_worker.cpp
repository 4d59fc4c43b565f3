#include "actors/work/file_worker.hpp"

#include "actors/work/strand.hpp"
#include "messages/errors.hpp"

namespace fermata::actors {

file_worker_actor::behavior_type file_worker(file_worker_actor::pointer self,
                                             worker_pool_ptr workers, work_kind kind) {
  set_quiet_handlers(self);
  return {
      [self, work = strand{std::move(workers), kind}](const file_job& job) {
        return work.answer<void>(self, [job]() -> caf::result<void> {
          auto done = job.run();
          if (done) return caf::unit;
          return make_problem(problem::failed, done.error().first().message,
                              done.error().first().hint);
        });
      },
  };
}

}  // namespace fermata::actors
