#include "actors/system_config.hpp"

#include "messages/errors.hpp"
#include "messages/session.hpp"
#include "messages/session_manager.hpp"
#include "messages/store.hpp"

#include <caf/all.hpp>

namespace fermata::actors {

system_config::system_config() {
  set("scheduler.policy", caf::atom("sharing"));
  set("scheduler.max-threads", std::size_t{2});
  set("scheduler.max-throughput", std::size_t{50});
  set("middleman.workers", std::size_t{0});
  set("logger.verbosity", caf::atom("quiet"));
  set("logger.console", caf::atom("none"));
  add_error_category(caf::atom("fermata"),
                     [](std::uint8_t code, caf::atom_value category, const caf::message& context) {
                       auto detail = detail_of(caf::error{code, category, context});
                       return to_string(static_cast<problem>(code)) + ": " + detail.message;
                     });
  add_message_type<session_actor>("fermata::session_actor");
  add_message_type<session_observer_actor>("fermata::session_observer_actor");
  add_message_type<session_manager_actor>("fermata::session_manager_actor");
}

system_config system_config::for_tests() {
  system_config config;
  config.set("scheduler.policy", caf::atom("testing"));
  return config;
}

}  // namespace fermata::actors
