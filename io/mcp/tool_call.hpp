#pragma once

#include "io/mcp/server.hpp"

namespace fermata::io::mcp {

/// A call of a tool on its way; for the files of the server alone.
struct server::tool_call {
  flight_ptr f;
  const protocol::method* row = nullptr;
  std::string session;    ///< as the host gave it
  std::string arguments;  ///< the others, as text of an object
  place where;
  bool repeated = false;
  bool may_ask = false;  ///< the person at the client can be asked about what it proposes
  std::string reason;    ///< why it could not be delivered the first time
};

}  // namespace fermata::io::mcp
