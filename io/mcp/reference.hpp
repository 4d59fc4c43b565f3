#pragma once

#include <string>

namespace fermata::io::mcp {

/// docs/mcp.md: how a host is connected, and every tool, resource and prompt, made from the tables
/// that the program runs on.
std::string reference_markdown();

}  // namespace fermata::io::mcp
