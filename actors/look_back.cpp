#include "actors/look_back.hpp"

#include "actors/guarded.hpp"

#include <caf/all.hpp>

namespace fermata::actors {

look_back_actor::behavior_type look_back(look_back_actor::pointer self) {
  set_quiet_handlers(self);
  return {
      [](atom::look_back, const look_back_job& job) {
        return guarded<command_outcome>(
            [&] { return run_command(job.text, *job.on, job.source, job.now, job.telling); });
      },
  };
}

}  // namespace fermata::actors
