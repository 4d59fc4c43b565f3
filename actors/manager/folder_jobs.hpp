#pragma once

#include "actors/manager/manager_setup.hpp"
#include "core/session/catalog/catalog_step.hpp"
#include "messages/file_worker.hpp"
#include "messages/session_manager.hpp"

#include <functional>

namespace fermata::actors {

/// Executes the folder jobs of the catalog, and its looks at the disk, through two file workers: so
/// that nobody who only looks waits for a copy or an archive that takes long.
class folder_jobs {
public:
  using feed_function = std::function<void(catalog::input)>;

  folder_jobs(session_manager_actor::pointer self, const manager_setup& setup, feed_function feed);

  void execute(catalog::look_at_disk& a);
  void execute(catalog::start_job& a);

private:
  session_manager_actor::pointer self_;
  const manager_setup& setup_;
  feed_function feed_;
  file_worker_actor worker_, reader_;
};

}  // namespace fermata::actors
