#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace fermata {

struct score_delta;

/// Which measures came and went, as an edit or a delta says it. Of equal neighbours the content
/// does not show which one was deleted or inserted.

/// In the part with this id, `removed` measures from `first` on made room for `added` others, one
/// step after another: `first` is an index in the part as the steps before this one left it.
struct measure_move {
  std::string part;
  std::size_t first = 0, removed = 0, added = 0;
  bool operator==(const measure_move&) const = default;
};
using measure_moves = std::vector<measure_move>;

/// The moves of a delta; replacements by as many measures are none.
[[nodiscard]] measure_moves moves_of(const score_delta& d);

/// Measures [i, i + count) of the part before that are [j, j + count) afterwards.
struct stayed_run {
  std::size_t i = 0, j = 0, count = 0;
  bool operator==(const stayed_run&) const = default;
};

/// What stayed of a part that had `before` measures and has `after`: ascending on both sides, with
/// measures added at the end, which are no moves. Empty if the moves do not fit these numbers, or
/// if there are none of the part.
[[nodiscard]] std::vector<stayed_run> stayed_runs(const measure_moves& moves, std::string_view part,
                                                  std::size_t before, std::size_t after);

}  // namespace fermata
