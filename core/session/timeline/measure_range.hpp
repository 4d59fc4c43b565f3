#pragma once

#include "core/result.hpp"
#include "core/score/model/score.hpp"

#include <limits>
#include <string_view>
#include <utility>
#include <vector>

namespace fermata {

/// Ranges of measures as they are typed.

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

}  // namespace fermata
