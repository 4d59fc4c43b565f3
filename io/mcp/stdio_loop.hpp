#pragma once

#include <filesystem>
#include <string>

namespace fermata::io::mcp {

struct stdio_options {
  std::filesystem::path home;  ///< where running Fermatas are found
  std::string socket;          ///< talk only to this one; empty: find them
  std::string version;         ///< of the program
  int in = 0, out = 1;         ///< descriptors of the host
};

/// Serves a host on two descriptors until its end of input, until it cannot be written to, or until
/// SIGINT, SIGTERM or SIGHUP; then it is gone within a tenth of a second. Writes nothing but
/// protocol to `out`. Blocks SIGINT, SIGTERM and SIGHUP in this thread. Returns the exit code: 1,
/// with words on standard error, when an answer could not be written.
int serve_stdio(const stdio_options& o);

}  // namespace fermata::io::mcp
