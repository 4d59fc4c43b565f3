#pragma once

#include "core/session/timeline/entry.hpp"

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace fermata {

/// Local time: the offset from UTC at a given instant, which may change between summer and winter.
/// The core knows no time zones; the caller provides the rules as a function
/// (io/terminal/local_time.hpp). Without a function it is UTC.
struct wall_clock {
  std::chrono::seconds (*ahead_of_utc)(timestamp) = nullptr;
  bool operator==(const wall_clock&) const = default;
};

/// "2026-02-01 14:03:07" in local time. UTC is marked, "2026-02-01 14:03:07Z", because it is rarely
/// the user's local time.
std::string to_text(timestamp t, wall_clock clock);

/// Reads a moment: `2026-02-01`, `2026-02-01T14:03`, `2026-02-01 14:03:07.120`; with `Z`, `+01:00`,
/// `+0100` or `+01` after the time it has that offset, otherwise it is local time. A local time
/// that occurs twice, when the clock is set back, is the first of the two; one that is skipped,
/// when the clock is set forward, is read as if it had not been set forward yet.
std::optional<timestamp> parse_moment(std::string_view text, wall_clock clock);

/// The last instant of a day, minute, second or fraction of a second. A day has as many hours as in
/// local time.
std::optional<timestamp> parse_end_of_moment(std::string_view text, wall_clock clock);

}  // namespace fermata
