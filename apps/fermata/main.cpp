// The program: the streams it starts with, the command line, and how it ends.

#include "apps/fermata/command_line.hpp"
#include "apps/fermata/commands/commands.hpp"
#include "io/files/standard_descriptors.hpp"
#include "io/text/code_point.hpp"

#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <exception>
#include <iostream>
#include <system_error>

namespace {

using namespace fermata::app;

/// What was printed counts as done when it got where it goes: with a full disk behind `>` the
/// program fails. A reader who has gone (`| head`) had enough.
int printed(int status) {
  // `std::cout` goes through `stdout`. The reason is known of the last piece only.
  bool failed = std::fflush(stdout) != 0;
  auto reason = failed ? errno : 0;
  if (!failed && std::ferror(stdout) == 0) return status;
  pollfd reader{STDOUT_FILENO, 0, 0};
  if (::poll(&reader, 1, 0) > 0 && (reader.revents & POLLERR) != 0) return status;
  std::cerr << "fermata: cannot write to standard output"
            << (reason != 0 ? ": " + std::generic_category().message(reason) : std::string{})
            << '\n';
  return status == exit_ok ? exit_failure : status;
}

}  // namespace

int main(int argc, char** argv) {
  fermata::io::occupy_standard_descriptors();
  // A write beyond the largest size of a file fails as on a full disk, and does not end the
  // program.
  std::signal(SIGXFSZ, SIG_IGN);
  // CLI11 and the allocator may throw; nothing else should. Whatever comes is said, not swallowed.
  try {
    fermata::io::use_utf8_locale();  // how many cells a character takes
    return printed(run_command_line(argc, argv));
  } catch (const std::exception& fault) {
    std::cerr << "fermata: " << fault.what() << '\n';
    return exit_failure;
  }
}
