#pragma once

namespace fermata::app {

/// Reads the command line and calls the function of its subcommand; without one, the prompt.
/// Returns the exit code. The help, the completion scripts and the manual page are made from the
/// options declared here.
int run_command_line(int argc, char** argv);

}  // namespace fermata::app
