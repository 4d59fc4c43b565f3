#pragma once

#include "core/session/commands/entry_listing.hpp"

#include <cstddef>
#include <string>

namespace fermata::io {

/// One entry of a list as it is written out, as text or as a line of JSON; without a newline at the
/// end and as it is: not safe for a terminal.
std::string listed_text(const entry_listing& l, std::size_t i);

}  // namespace fermata::io
