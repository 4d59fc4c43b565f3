#pragma once

#include "core/session/timeline/state.hpp"

#include <boost/json/object.hpp>

namespace fermata::io {

/// What waits in a session, as the journal and the checkpoint keep it.
boost::json::object write_message(const queued_message& m);
result<queued_message> read_message(const boost::json::object& o);

boost::json::object write_proposal(const proposal& p);
result<proposal> read_proposal(const boost::json::object& o);

boost::json::object write_answer(const kept_answer& a);
result<kept_answer> read_answer(const boost::json::object& o);

}  // namespace fermata::io
