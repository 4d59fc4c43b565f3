#pragma once

#include "io/protocol/fault.hpp"
#include "io/protocol/method.hpp"
#include "messages/session_manager.hpp"

#include <caf/fwd.hpp>

#include <boost/json/object.hpp>

namespace fermata::actors {

/// Conversion of actor results to lines on the socket.

/// The fault that answers a request whose actor refused.
io::protocol::fault to_fault(const caf::error& e);

std::shared_ptr<const std::vector<io::protocol::session_row>> to_rows(
    const std::vector<session_summary>& list);

/// Results of the writes, members as in the rows of the registry.
boost::json::object message_result(const session_snapshot& s, const message_receipt& receipt);
boost::json::object evaluation_result(std::string_view session, const remote_outcome& outcome,
                                      bool preview);
boost::json::object undo_result(const turn& t);
boost::json::object decision_result(std::int64_t proposal, bool accept, const turn& t);

/// The members of an `events.event` notification: entries after `seen`, at most `most` of them and
/// no more than a line holds. `seen` becomes the last one that is in it.
boost::json::object event_params(const session_event& e, std::int64_t& seen, std::size_t most);

/// The words of an event's `what`.
std::vector<std::string_view> event_kinds(const session_event& e);

}  // namespace fermata::actors
