#pragma once

#include "core/result.hpp"
#include "core/session/timeline/entry.hpp"

#include <string>
#include <string_view>

namespace fermata::io {

/// RFC 3339 in UTC with milliseconds: "2026-02-01T14:03:07.120Z".
std::string time_text(timestamp t);

/// Reads what `time_text` writes. Error: what is wrong with it.
result<timestamp> parse_time_text(std::string_view text);

}  // namespace fermata::io
