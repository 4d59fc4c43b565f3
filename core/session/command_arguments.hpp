#pragma once

#include "core/result.hpp"
#include "core/score/score.hpp"
#include "core/session/entry.hpp"
#include "core/session/wall_clock.hpp"

#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace fermata {

/// How the arguments of commands are written.

/// A whole number.
result<std::int64_t> parse_number(std::string_view text);

/// Entries: `42`, `10:20`, `5:`, `:15`, `-5:` (the last five), `In[3]:Out[7]`. Both ends inclusive.
struct index_range {
  std::optional<std::int64_t> from, to;
};
result<index_range> parse_index_range(std::string_view text);

/// Measures of a score by their numbers as printed (measure_names.hpp): `5`, `5-8`, `6-` to the
/// end,
/// `-4` from the beginning, `0` for a pickup, `X1`; with a colon too, where a number below zero
/// counts from the end as it does with entries: `5:8`, `6:`, `:4`, `-2:` for the last two. Or the
/// name of a rehearsal mark: the measures until the next one. Gives their places, from 1, both ends
/// inclusive. What is open behind ends at `to_the_end`; a number behind the last one is the place
/// of a measure that is added. `parts`: whose numbers are meant, by index; empty: those of all
/// parts. Of parts that number differently the first one that has these numbers counts.
result<std::pair<int, int>> parse_measures(std::string_view text, const score& s,
                                           const std::vector<std::size_t>& parts = {});

/// The same without rehearsal marks.
result<std::pair<int, int>> parse_measure_numbers(std::string_view text, const score& s,
                                                  const std::vector<std::size_t>& parts = {});

/// Behind every measure there is, also those that a change adds.
constexpr int to_the_end = std::numeric_limits<int>::max();

/// How measures are written, for messages and help.
constexpr std::string_view measure_forms =
    "5, 5-8, 6-, -4, -2: (the last two), 0 (a pickup), or X1 (a later uncounted measure)";

/// A time that lies back from `now`: `90s`, `10m`, `2h`, `3d`, `"10 minutes"`; or a day or moment
/// as `parse_moment` reads it.
result<timestamp> parse_time(std::string_view text, timestamp now, wall_clock clock = {});

/// The same as an end: of a day, a minute or a second it is the last instant.
result<timestamp> parse_end_time(std::string_view text, timestamp now, wall_clock clock = {});

/// `on` or `off`.
result<bool> parse_switch(std::string_view text);

/// A name as it is typed where nothing but the name follows: with or without quotes around it.
std::string unquoted(std::string_view text);

}  // namespace fermata
