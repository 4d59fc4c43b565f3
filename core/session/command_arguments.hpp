#pragma once

#include "core/result.hpp"
#include "core/session/entry.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

namespace fermata {

/// How the arguments of commands are written.

/// A whole number.
result<std::int64_t> parse_number(std::string_view text);

/// Entries: `42`, `10:20`, `5:`, `:15`, `-5:` (the last five), `In[3]:Out[7]`. Both ends inclusive.
struct index_range {
  std::optional<std::int64_t> from, to;
};
result<index_range> parse_index_range(std::string_view text);

/// Measures: `5`, `5-8`, `5:8`; counted from 1, both ends inclusive.
result<std::pair<int, int>> parse_measures(std::string_view text);

/// The same, or the name of a rehearsal mark of the score: the measures until the next one.
result<std::pair<int, int>> parse_measures(std::string_view text, const score& s);

/// A time that lies back from `now`: `90s`, `10m`, `2h`, `3d`, `"10 minutes"`; or a day or moment
/// in UTC: `2026-02-01`, `2026-02-01T14:03`, `2026-02-01T14:03:07`.
result<timestamp> parse_time(std::string_view text, timestamp now);

/// `on` or `off`.
result<bool> parse_switch(std::string_view text);

/// A name as it is typed where nothing but the name follows: with or without quotes around it.
std::string unquoted(std::string_view text);

}  // namespace fermata
