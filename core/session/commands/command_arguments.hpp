#pragma once

#include "core/result.hpp"
#include "core/session/timeline/entry.hpp"
#include "core/session/timeline/measure_range.hpp"
#include "core/session/timeline/wall_clock.hpp"

#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace fermata {

/// Syntax of command arguments.

/// A whole number.
result<std::int64_t> parse_number(std::string_view text);

/// A decimal number: `90`, `92.5`. Empty: it is none.
std::optional<double> parse_decimal(std::string_view text);

/// Entries: `42`, `10:20`, `5:`, `:15`, `-5:` (the last five), `In[3]:Out[7]`. Both ends inclusive.
struct index_range {
  std::optional<std::int64_t> from, to;
};
result<index_range> parse_index_range(std::string_view text);

/// A time relative to `now`: `90s`, `10m`, `2h`, `3d`, `"10 minutes"`; or a date or time as read by
/// `parse_moment`.
result<timestamp> parse_time(std::string_view text, timestamp now, wall_clock clock = {});

/// The same as the end of a range: the last instant of a day, a minute or a second.
result<timestamp> parse_end_time(std::string_view text, timestamp now, wall_clock clock = {});

/// `on` or `off`.
result<bool> parse_switch(std::string_view text);

/// A tempo relative to the written one: `80%`, `0.8`, `1.5`; from 10 % to 1000 %. A factor.
result<double> parse_tempo(std::string_view text);

/// A name that is the last argument: with or without quotes.
std::string unquoted(std::string_view text);

}  // namespace fermata
