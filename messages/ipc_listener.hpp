#pragma once

#include "messages/atoms.hpp"
#include "messages/file_watcher.hpp"

#include <caf/io/system_messages.hpp>
#include <caf/replies_to.hpp>
#include <caf/typed_actor.hpp>

namespace fermata {

/// The socket of this process. An exit message closes it and all its connections. It is told when
/// the files by which this process is found have changed.
using ipc_listener_actor = file_watch_owner_actor::extend<
    // A client has connected; no more connections are possible. From the network.
    caf::reacts_to<caf::io::new_connection_msg>, caf::reacts_to<caf::io::acceptor_closed_msg>,
    // A session was added or removed: clients that want to know are notified.
    caf::reacts_to<atom::listed>,
    // INTERNAL. Files that are missing are recreated.
    caf::reacts_to<atom::look_files>>;

}  // namespace fermata
