#pragma once

#include "core/session/timeline/entry.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace fermata {

struct session_state;  // core/session/timeline/state.hpp

/// Whether a source is the user; everybody else is a client.
bool is_user(const entry_source& source);

/// Whether an author has this name: the bare name ("claude", ignoring case), or as shown in the
/// timeline: "claude (mcp)", "you".
bool is_by(const entry_source& source, std::string_view name);

/// The name of a client as typed: "claude", or as shown in the timeline, "claude (mcp)".
std::string client_named(std::string_view typed);

/// The known authors and clients of the session: from policies, proposals, messages and the entries
/// in memory. Sorted.
std::vector<std::string> known_clients(const session_state& s);
/// The same, with "you" and other authors of entries.
std::vector<std::string> known_authors(const session_state& s);

}  // namespace fermata
