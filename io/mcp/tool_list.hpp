#pragma once

#include "io/protocol/method.hpp"

#include <string>
#include <string_view>

namespace fermata::io::mcp {

/// The tools: every row of the registry that is offered to MCP clients, under its name with
/// `repl_`. The list is the same whatever runs behind it, because hosts drop or cache tools.

/// The value of `tools` as JSON text.
const std::string& tool_list();

/// The row of a tool; none when there is no such tool.
const protocol::method* find_tool(std::string_view name);

/// What an MCP host tells the model about this server.
std::string_view instructions();

}  // namespace fermata::io::mcp
