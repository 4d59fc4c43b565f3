#pragma once

#include "messages/file_watcher.hpp"

#include <caf/actor_system.hpp>

namespace fermata::actors {

/// Starts a file watcher, linked to its owner. It runs on the thread that serves the sockets, which
/// waits for changes (inotify) together with everything else; there is no polling. The
/// configuration of `sys` must have loaded `caf::io::middleman`. If the system cannot watch, the
/// owner is never notified.
file_watcher_actor spawn_file_watcher(caf::actor_system& sys, const file_watch_owner_actor& owner);

}  // namespace fermata::actors
