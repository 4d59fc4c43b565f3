#pragma once

#include <string>

namespace fermata::app {

struct repl_options {
  std::string session;  ///< name or slug to open; empty: the last one used
  std::string file;     ///< a score file to open; empty: none
  std::string home;     ///< overrides $FERMATA_HOME
  std::string tcp;      ///< PORT or HOST:PORT to listen at as well; empty: not
  bool no_color = false;
  bool accessible = false;
};

/// The prompt on a terminal; without one, lines from standard input, results without prompts, and
/// exit 1 when any line failed. Starts the actor system, the sessions and the socket, and ends them
/// in order.
int repl_command(const repl_options& o);

}  // namespace fermata::app
