#pragma once

#include "actors/manager/manager_setup.hpp"
#include "core/session/catalog/catalog_step.hpp"
#include "messages/session_manager.hpp"
#include "messages/store.hpp"

#include <functional>
#include <map>
#include <optional>
#include <string>

namespace fermata::actors {

/// The actors of loaded sessions and their stores. Executes the actions of the catalog that concern
/// them; results are fed back.
///
/// A store is kept when its session crashes, and with it the lock of the folder.
class live_sessions {
public:
  using feed_function = std::function<void(catalog::input)>;

  live_sessions(session_manager_actor::pointer self, const manager_setup& setup, feed_function feed)
    : self_(self), setup_(setup), feed_(std::move(feed)) {}

  void execute(catalog::load_session& a);
  std::string folder_for_takes(const std::string& slug) const;
  void execute(catalog::start_session& a);
  void execute(catalog::reload_session& a);
  void execute(catalog::show_reloaded& a);
  void execute(catalog::show_followed& a);
  void execute(catalog::ask_to_unload& a);
  void execute(catalog::stop_session& a);
  void execute(catalog::kill_session& a);
  void execute(catalog::end_store& a);
  void execute(catalog::discard_session& a);
  void execute(catalog::forget_session& a);
  void execute(catalog::flush_session& a);
  void execute(catalog::read_unwritten& a);
  void execute(catalog::rename_in_session& a);
  void execute(catalog::send_note& a);

  void down(const caf::down_msg& msg);
  /// Null: it has none.
  session_actor actor_of(const std::string& slug) const;

private:
  struct live_session {
    session_actor session;
    store_actor store;
    std::optional<loaded_session> loaded;  ///< until the session has it
  };

  void read(const std::string& slug, catalog::ticket load);
  void was_read(const std::string& slug, catalog::ticket load, loaded_session what);
  session_snapshot as_configured(session_snapshot state) const;

  session_manager_actor::pointer self_;
  const manager_setup& setup_;
  feed_function feed_;
  std::map<std::string, live_session> sessions_;
};

}  // namespace fermata::actors
