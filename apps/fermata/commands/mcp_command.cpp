#include "apps/fermata/commands/mcp_command.hpp"

#include "io/mcp/stdio_loop.hpp"
#include "io/protocol/instance.hpp"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>

namespace fermata::app {

namespace {

/// Becomes the lean program, with a third of the memory: beside this one where it was built, in
/// libexec where it was installed. Returns when there is none, as when somebody copied the one
/// file.
void become_lean(const std::string& socket) {
  std::error_code ec;
  const auto self = std::filesystem::read_symlink("/proc/self/exe", ec);
  if (ec) return;
  for (auto folder : {".", "../libexec/fermata"}) {
    const auto lean = (self.parent_path() / folder / "fermata_mcp").string();
    ::execl(lean.c_str(), "fermata_mcp", socket.empty() ? nullptr : socket.c_str(), nullptr);
  }
}

}  // namespace

int mcp_command(const mcp_options& o) {
  io::mcp::stdio_options s;
  s.home = io::protocol::fermata_home();
  s.socket = o.socket;
  if (const char* socket = std::getenv("FERMATA_SOCKET"); s.socket.empty() && socket)
    s.socket = socket;
  become_lean(s.socket);
  s.version = FERMATA_VERSION;
  return io::mcp::serve_stdio(s);
}

}  // namespace fermata::app
