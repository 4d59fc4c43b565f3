#pragma once

#include "core/session/timeline/entry.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace fermata {

struct session_state;  // core/session/timeline/state.hpp

/// Whether somebody who is called this did it: by name ("claude", whatever the case), or as the
/// timeline signs it: "claude (mcp)", "you".
bool is_by(const entry_source& source, std::string_view name);

/// The name of a client as it is typed: "claude", or as the timeline signs it, "claude (mcp)".
std::string client_named(std::string_view typed);

/// The names of those who are known to have done something here, or of whom something was said:
/// rules, proposals, messages and the entries in memory. Sorted.
std::vector<std::string> known_clients(const session_state& s);
/// The same, and "you", and whoever else signs entries.
std::vector<std::string> known_authors(const session_state& s);

}  // namespace fermata
