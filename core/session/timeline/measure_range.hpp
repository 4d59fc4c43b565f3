#pragma once

#include "core/result.hpp"
#include "core/score/model/score.hpp"

#include <limits>
#include <string_view>
#include <utility>
#include <vector>

namespace fermata {

/// Ranges of measures as typed.

/// Measures of a score by printed number (measure_names.hpp): `5`, `5-8`, `6-` to the end, `-4`
/// from the beginning, `0` for a pickup, `X1`; also with a colon, where a negative number counts
/// from the end, as for entries: `5:8`, `6:`, `:4`, `-2:` for the last two. Or the name of a
/// rehearsal mark: the measures up to the next one. Returns positions from 1, inclusive. An open
/// end is `to_the_end`; a number after the last one is the position of a measure to be added.
/// `parts`: the parts whose numbers count, by index; empty: all. If parts are numbered differently,
/// the first one that has these numbers counts.
result<std::pair<int, int>> parse_measures(std::string_view text, const score& s,
                                           const std::vector<std::size_t>& parts = {});

/// The same without rehearsal marks.
result<std::pair<int, int>> parse_measure_numbers(std::string_view text, const score& s,
                                                  const std::vector<std::size_t>& parts = {});

/// After all measures, including those that a change adds.
constexpr int to_the_end = std::numeric_limits<int>::max();

/// Syntax of measure ranges, for messages and help.
constexpr std::string_view measure_forms =
    "5, 5-8, 6-, -4, -2: (the last two), 0 (a pickup), or X1 (a later uncounted measure)";

}  // namespace fermata
