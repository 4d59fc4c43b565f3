#pragma once

#include "io/protocol/envelope.hpp"
#include "io/protocol/method.hpp"

#include <memory>
#include <optional>
#include <string>

namespace fermata::io::protocol {

/// A request with its row and checked parameters; or, when `refused`, why not.
struct call {
  reply_head head;
  const method* row = nullptr;
  boost::json::object params;  ///< by name, checked against the row
  bool unordered = false;
  std::optional<fault> refused;
};

/// Finds the row and checks the parameters. Takes what it needs out of `r`, whose memory (the
/// `incoming`) has to outlive the call.
call prepare(request& r);

/// Runs a query. Never throws: what a handler throws becomes `internal`.
answer<boost::json::object> run(const method& row, const query& q,
                                const boost::json::object& params);

/// Makes the command of a row that is no query.
answer<command> command_of(const method& row, const boost::json::object& params);

/// The parameter `session` of a call; empty: the active one.
std::string_view wanted_session(const call& c);

}  // namespace fermata::io::protocol
