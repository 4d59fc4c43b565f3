#pragma once

#include <string>

namespace fermata::app {

struct mcp_options {
  std::string socket;  ///< where the prompt listens; empty: found under $FERMATA_HOME
};

/// Serves the Model Context Protocol on standard input and output until end of input or a signal.
int mcp_command(const mcp_options& o);

}  // namespace fermata::app
