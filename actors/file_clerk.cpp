#include "actors/file_clerk.hpp"

#include "actors/guarded.hpp"
#include "messages/errors.hpp"

namespace fermata::actors {

file_clerk_actor::behavior_type file_clerk(file_clerk_actor::pointer self) {
  set_quiet_handlers(self);
  return {
      [](const file_job& job) {
        return guarded<void>([&]() -> caf::result<void> {
          auto done = job.run();
          if (done) return caf::unit;
          return make_problem(problem::failed, done.error().first().message,
                              done.error().first().hint);
        });
      },
  };
}

}  // namespace fermata::actors
