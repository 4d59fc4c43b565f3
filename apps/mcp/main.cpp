// What `fermata mcp` becomes: the translator alone, without actors, terminal and command line,
// because hosts start several of them and keep them for days. It links what it uses and nothing
// else.
//
//   fermata_mcp [SOCKET]

#include "io/files/standard_descriptors.hpp"
#include "io/mcp/stdio_loop.hpp"
#include "io/protocol/instance.hpp"

int main(int argc, char** argv) {
  fermata::io::occupy_standard_descriptors();
  fermata::io::mcp::stdio_options o;
  o.home = fermata::io::protocol::fermata_home();
  if (argc > 1) o.socket = argv[1];
  o.version = FERMATA_VERSION;
  return fermata::io::mcp::serve_stdio(o);
}
