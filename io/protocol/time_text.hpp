#pragma once

#include "core/session/timeline/entry.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace fermata::io::protocol {

/// "2026-03-01T09:30:00.125Z": ISO 8601, UTC, milliseconds.
std::string to_text(timestamp t);

/// Reads an instant: ISO 8601 with optional time, fraction and offset ("2026-03-01",
/// "2026-03-01T09:30", "2026-03-01T09:30:00.5+01:00"; UTC without an offset), or an age ("90s"
/// "10m" "2h" "3d") relative to `now`.
std::optional<timestamp> parse_time(std::string_view text, timestamp now);

/// The same as the end of a range: the last instant of a day, a minute or a second.
std::optional<timestamp> parse_end_time(std::string_view text, timestamp now);

}  // namespace fermata::io::protocol
