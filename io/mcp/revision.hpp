#pragma once

#include <array>
#include <string_view>

namespace fermata::io::mcp {

/// The two generations of the protocol. A request belongs to the modern one when its `_meta` names
/// a protocol version, whatever came before it on the same connection.
enum class era : unsigned char { legacy, modern };

/// The stateless revision: no handshake, an envelope in every request.
inline constexpr std::string_view modern_version = "2026-07-28";

/// The revisions with a handshake, newest first.
inline constexpr std::array<std::string_view, 4> legacy_versions = {"2025-11-25", "2025-06-18",
                                                                    "2025-03-26", "2024-11-05"};

inline constexpr std::string_view meta_version = "io.modelcontextprotocol/protocolVersion";
inline constexpr std::string_view meta_capabilities = "io.modelcontextprotocol/clientCapabilities";
inline constexpr std::string_view meta_client = "io.modelcontextprotocol/clientInfo";
inline constexpr std::string_view meta_server = "io.modelcontextprotocol/serverInfo";
inline constexpr std::string_view meta_subscription = "io.modelcontextprotocol/subscriptionId";

/// How much a host of the older revisions wants to be told, least important first.
inline constexpr std::array<std::string_view, 8> log_levels = {
    "debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"};

/// Error codes of JSON-RPC and of the Model Context Protocol.
namespace code {
inline constexpr int parse_error = -32700;
inline constexpr int invalid_request = -32600;
inline constexpr int method_not_found = -32601;
inline constexpr int invalid_params = -32602;
inline constexpr int internal = -32603;
inline constexpr int unsupported_version = -32022;
}  // namespace code

}  // namespace fermata::io::mcp
