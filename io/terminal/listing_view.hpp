#pragma once

#include "core/session/commands/entry_listing.hpp"
#include "io/terminal/entry_view.hpp"

#include <cstddef>
#include <string>

namespace fermata::io {

/// One entry of a list as the prompt shows it: complete lines. `command`: the entry of what lists
/// it.
std::string listed_view(const history_entry& command, const entry_listing& l, std::size_t i,
                        entry_look look);

/// What was typed, when the look echoes it; empty when not.
std::string listing_head(const history_entry& command, const entry_look& look);

}  // namespace fermata::io
