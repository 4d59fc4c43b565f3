#pragma once

#include "io/protocol/envelope.hpp"
#include "io/protocol/method.hpp"

#include <memory>
#include <optional>
#include <string>

namespace fermata::io::protocol {

/// A request with its row and checked parameters; or, in `refused`, the error.
struct call {
  reply_head head;
  const method* row = nullptr;
  boost::json::object params;  ///< by name, checked against the row
  bool unordered = false;
  std::optional<fault> refused;
};

/// Finds the row and checks the parameters. Moves data out of `r`, whose memory (the `incoming`)
/// must outlive the call.
call prepare(request& r);

/// Runs a query. Never throws: an exception of a handler becomes `internal`.
answer<boost::json::object> run(const method& row, const query& q,
                                const boost::json::object& params);

/// The command for a row that is not a query.
answer<command> command_of(const method& row, const boost::json::object& params);

/// The parameter `session` of a call; empty: the active one.
std::string_view wanted_session(const call& c);

}  // namespace fermata::io::protocol
