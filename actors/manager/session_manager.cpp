#include "actors/manager/session_manager.hpp"

#include "actors/work/guarded.hpp"
#include "core/lang/evaluation/evaluate.hpp"
#include "io/store/home.hpp"
#include "io/terminal/local_time.hpp"

#include <chrono>
#include <utility>

namespace fermata::actors {

manager_setup default_manager_setup() {
  manager_setup setup;
  setup.home = io::fermata_home();
  setup.evaluate = &fermata::evaluate;
  setup.now = [] {
    return std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
  };
  setup.clock = io::local_clock();
  setup.workers = std::make_shared<worker_pool>();
  return setup;
}

session_manager_actor::behavior_type session_manager(session_manager_state::pointer self,
                                                     manager_setup setup) {
  using namespace catalog;
  using summaries = std::vector<session_summary>;
  set_quiet_handlers(self);
  self->state.runner.emplace(self, std::move(setup));
  auto& runner = *self->state.runner;
  self->set_down_handler([&runner](caf::down_msg& msg) { runner.down(msg); });
  return {
      [&runner](atom::create, const std::string& name) {
        return runner.request<session_ref>(create_session{.name = name});
      },
      [&runner](atom::create, atom::client, const std::string& client, const std::string& name) {
        return runner.request<session_ref>(create_session{.name = name, .client = client});
      },
      [&runner](atom::find, const std::string& slug_or_name) {
        return runner.request<session_ref>(find_session{.wanted = slug_or_name});
      },
      [&runner](atom::active) { return runner.request<session_ref>(find_active{}); },
      [&runner](atom::activate, const std::string& slug_or_name) {
        return runner.request<session_ref>(activate_session{.wanted = slug_or_name});
      },
      [&runner](atom::activate, atom::client, const std::string& slug_or_name) {
        return runner.request<session_ref>(
            activate_session{.wanted = slug_or_name, .by_client = true});
      },
      [&runner](atom::list) {
        return runner.request<summaries>(list_sessions{disk_detail::summaries});
      },
      [&runner](atom::list, atom::sizes) {
        return runner.request<summaries>(list_sessions{disk_detail::sizes});
      },
      [&runner](atom::archived) {
        return runner.request<summaries>(list_sessions{disk_detail::sizes, true});
      },
      [&runner](atom::clone, const std::string& slug, const std::string& name) {
        return runner.request<session_ref>(clone_session{.wanted = slug, .name = name});
      },
      [&runner](atom::archive_session, const archive_request& what) {
        return runner.request<archive_answer>(archive_session{.request = what});
      },
      [&runner](atom::left, const std::string& slug, bool recorded) {
        runner.feed(archive_recorded{slug, recorded});
      },
      [&runner](atom::restore, const std::string& slug_or_name) {
        return runner.request<session_ref>(restore_session{.wanted = slug_or_name});
      },
      [&runner](atom::export_session, const export_request& what) {
        return runner.request<exported_session>(export_session{.request = what});
      },
      [&runner](atom::import_session, const std::string& file, const std::string& name) {
        return runner.request<session_ref>(import_session{.file = file, .name = name});
      },
      [&runner](atom::rename, const std::string& slug, const std::string& wanted) {
        return runner.request<std::string>(rename_session{slug, wanted});
      },
      [&runner](atom::renamed, const std::string& slug) { runner.feed(name_recorded{slug}); },
      [&runner](atom::stop) { return runner.stop(); },
      [&runner](atom::follow, const std::string& slug, const session_snapshot& now) {
        runner.feed(followed{slug, now});
      },
      [&runner](atom::restart, const std::string& slug) { runner.feed(restart_due{slug}); },
      [&runner](atom::unload) { runner.feed(unload_due{}); },
  };
}

}  // namespace fermata::actors
