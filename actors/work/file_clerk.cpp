#include "actors/work/file_clerk.hpp"

#include "actors/work/strand.hpp"
#include "messages/errors.hpp"

namespace fermata::actors {

file_clerk_actor::behavior_type file_clerk(file_clerk_actor::pointer self, worker_pool_ptr workers,
                                           work_kind kind) {
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
