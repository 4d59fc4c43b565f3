#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <string>

namespace fermata::io::mcp {

/// Longest line from a host, its end not counted. A longer one is answered with an error and passed
/// over.
inline constexpr std::size_t max_host_line = 16u << 20;

struct stdio_options {
  std::filesystem::path home;  ///< where running Fermatas are found
  std::string socket;          ///< talk only to this one; empty: find them
  std::string version;         ///< of the program
  int in = 0, out = 1;         ///< descriptors of the host
  /// How long a host that takes nothing is waited for after the end of its input.
  std::chrono::milliseconds patience{60'000};
};

/// Serves a host on two descriptors until its end of input, until it cannot be written to, or until
/// SIGINT, SIGTERM or SIGHUP. After the end of input every call under way is still answered
/// (server::input_ended), and it stays until the host has taken all answers, as long as it takes
/// any within `patience`; after a signal it is gone within a tenth of a second, and at once when
/// nobody reads any more. Writes nothing but protocol to `out`. Blocks SIGINT, SIGTERM and SIGHUP
/// in this thread. Returns the exit code: 1, with words on standard error, when an answer could not
/// be written.
int serve_stdio(const stdio_options& o);

}  // namespace fermata::io::mcp
