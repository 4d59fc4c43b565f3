#pragma once

#include "messages/front_end.hpp"
#include "messages/session.hpp"

#include <caf/io/system_messages.hpp>

#include <cstdint>
#include <memory>
#include <string>

namespace fermata {

/// A client's request in progress. Only its connection knows its contents.
struct ipc_request;
using ipc_request_ptr = std::shared_ptr<ipc_request>;

/// One client of the socket.
using ipc_connection_actor = session_observer_actor::extend<
    // Data received; data sent; connection closed. From the network.
    caf::reacts_to<caf::io::new_data_msg>, caf::reacts_to<caf::io::data_transferred_msg>,
    caf::reacts_to<caf::io::connection_closed_msg>,
    // A session was added or removed.
    caf::reacts_to<atom::listed>,
    // Where playback is, and what is being recorded.
    caf::reacts_to<playback_status>, caf::reacts_to<recording_status>,
    // INTERNAL. Notification for the front end of this connection.
    caf::reacts_to<atom::notify, front_end_event_ptr>,
    // INTERNAL. A worker has finished the line of a reply.
    caf::reacts_to<atom::worked, ipc_request_ptr, std::string>,
    // INTERNAL. The same for one that has read the disk.
    caf::reacts_to<atom::has_read, ipc_request_ptr, std::string>,
    // INTERNAL. The timeout of the wait_for_change with this number.
    caf::reacts_to<atom::wait_over, std::uint64_t>,
    // INTERNAL. Timers: whether the client reads what it is sent; whether it is still connected;
    // whether it has sent its hello.
    caf::reacts_to<atom::look_stall>, caf::reacts_to<atom::look_gone>,
    caf::reacts_to<atom::hello_due>,
    // The timeout for telling a window the result of its last line.
    caf::reacts_to<atom::end_due>>;

}  // namespace fermata

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(fermata::ipc_request_ptr)
