#include "apps/fermata/mcp_command.hpp"

#include "io/mcp/stdio_loop.hpp"
#include "io/protocol/instance.hpp"

#include <cstdlib>

namespace fermata::app {

int mcp_command(const mcp_options& o) {
  io::mcp::stdio_options s;
  s.home = io::protocol::fermata_home();
  s.socket = o.socket;
  if (const char* socket = std::getenv("FERMATA_SOCKET"); s.socket.empty() && socket)
    s.socket = socket;
  s.version = FERMATA_VERSION;
  return io::mcp::serve_stdio(s);
}

}  // namespace fermata::app
