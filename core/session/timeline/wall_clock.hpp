#pragma once

#include "core/session/timeline/entry.hpp"

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace fermata {

/// The clock on somebody's wall: how far it is ahead of UTC at a given instant, since that differs
/// in summer and winter. The core knows no zone; whoever has one gives its rules as a function
/// (io/terminal/local_time.hpp). Without a function it is UTC.
struct wall_clock {
  std::chrono::seconds (*ahead_of_utc)(timestamp) = nullptr;
  bool operator==(const wall_clock&) const = default;
};

/// "2026-02-01 14:03:07" as that clock shows it. UTC is marked, "2026-02-01 14:03:07Z", because
/// nobody lives by it.
std::string to_text(timestamp t, wall_clock clock);

/// Reads a moment: `2026-02-01`, `2026-02-01T14:03`, `2026-02-01 14:03:07.120`; with `Z`, `+01:00`,
/// `+0100` or `+01` behind the time it is what that says, else what the clock shows. Of a time that
/// comes twice, when the clock is put back, it is the first; one that is left out, when it is put
/// forward, is read as if it had not been put forward yet.
std::optional<timestamp> parse_moment(std::string_view text, wall_clock clock);

/// The last instant of what such a text names: a day, a minute, a second, or a fraction of one. A
/// day has as many hours as the clock shows of it.
std::optional<timestamp> parse_end_of_moment(std::string_view text, wall_clock clock);

}  // namespace fermata
