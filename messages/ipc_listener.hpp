#pragma once

#include "messages/atoms.hpp"

#include <caf/io/system_messages.hpp>
#include <caf/replies_to.hpp>
#include <caf/typed_actor.hpp>

namespace fermata {

/// The socket of this process. An exit message closes it, with all that are connected.
using ipc_listener_actor = caf::typed_actor<
    // Somebody has connected; nobody can any more. From the network.
    caf::reacts_to<caf::io::new_connection_msg>, caf::reacts_to<caf::io::acceptor_closed_msg>,
    // A session came or went: every client that wants to know is told.
    caf::reacts_to<atom::listed>,
    // INTERNAL. Something has happened to the files by which this process is found: they are made
    // again where they are missing.
    caf::reacts_to<atom::look_files>>;

}  // namespace fermata
