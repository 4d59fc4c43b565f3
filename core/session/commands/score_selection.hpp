#pragma once

#include "core/result.hpp"
#include "core/score/model/score.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fermata {

/// A part and measures of a score, as arguments of a command: `:score piano 5-8`.
struct score_selection {
  std::optional<std::string> part;              ///< as typed
  std::optional<std::pair<int, int>> measures;  ///< by position from 1, inclusive
};

/// Arguments in any order, at most one of each kind. A number or a range denotes measures; anything
/// else a part, or measures if only a rehearsal mark or a measure has that name. The part is not
/// looked up. Errors: those of `parse_measures`; a word too many. `usage`: for their advice.
result<score_selection> select_in_score(const score& s, const std::vector<std::string>& args,
                                        std::string_view usage);

/// One measure of a score, by printed number or rehearsal mark; its position from 1. Errors: those
/// of `parse_measures`; a range; a measure that does not exist.
result<int> single_measure(const score& s, const std::string& word);

}  // namespace fermata
