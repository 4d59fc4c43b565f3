#pragma once

#include "messages/front_end.hpp"
#include "messages/session.hpp"

#include <caf/io/system_messages.hpp>

#include <cstdint>
#include <memory>
#include <string>

namespace fermata {

/// A request of a client on its way. Only its connection knows what is in it.
struct ipc_request;
using ipc_request_ptr = std::shared_ptr<ipc_request>;

/// One client of the socket.
using ipc_connection_actor = session_observer_actor::extend<
    // Bytes came; they are on their way; nobody is there any more. From the network.
    caf::reacts_to<caf::io::new_data_msg>, caf::reacts_to<caf::io::data_transferred_msg>,
    caf::reacts_to<caf::io::connection_closed_msg>,
    // A session came or went.
    caf::reacts_to<atom::listed>,
    // INTERNAL. What the front end hears whose connection this is.
    caf::reacts_to<atom::told, front_end_event_ptr>,
    // INTERNAL. A worker has the line of a reply.
    caf::reacts_to<atom::worked, ipc_request_ptr, std::string>,
    // INTERNAL. The same of one that has read the disk.
    caf::reacts_to<atom::has_read, ipc_request_ptr, std::string>,
    // INTERNAL. The time of the wait_for_change with this number is over.
    caf::reacts_to<atom::wait_over, std::uint64_t>,
    // INTERNAL. Time to look whether the client takes what it is sent; whether it is there at all;
    // whether it has said hello.
    caf::reacts_to<atom::look_stall>, caf::reacts_to<atom::look_gone>,
    caf::reacts_to<atom::hello_due>,
    // The time is over in which a window hears what became of its last line.
    caf::reacts_to<atom::end_due>>;

}  // namespace fermata

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(fermata::ipc_request_ptr)
