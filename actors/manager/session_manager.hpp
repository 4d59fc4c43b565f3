#pragma once

#include "actors/manager/catalog_runner.hpp"
#include "actors/manager/manager_setup.hpp"
#include "messages/session_manager.hpp"

#include <caf/stateful_actor.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <optional>

namespace fermata::actors {

/// Knows every session by slug: those that have an actor, and those that are on disk.
///
/// What it does, and in which order, is decided by `catalog::step`
/// (core/session/catalog/catalog_step.hpp), one input after another; the `catalog_runner` executes
/// that.
///
/// For each loaded session it owns the session actor and its store. A session that crashes is
/// loaded again, and its timeline says so; when it crashes ten times without a minute between, it
/// is left alone until it is requested again. Its store is kept over the crash, and with it the
/// lock of the folder; when a store ends, its session does too, so that both are made anew.
///
/// A session to which another process writes is loaded all the same, read-only. Its store tries for
/// the lock again whenever the session is made the active one, and the session continues with what
/// was read then.
///
/// An unused session is unloaded, and loaded again on the next request.
///
/// The active session is the one that was activated or created last. If the user chose it, it is
/// remembered in the home for the next start; what clients make active is for clients.
class session_manager_state {
public:
  using pointer = session_manager_actor::stateful_pointer<session_manager_state>;
  static inline const char* name = "session_manager";

  explicit session_manager_state(pointer) {}

  std::optional<catalog_runner> runner;
};
static_assert(!std::is_aggregate_v<session_manager_state>);

session_manager_actor::behavior_type session_manager(session_manager_state::pointer self,
                                                     manager_setup setup);

}  // namespace fermata::actors
