#pragma once

#include "core/score/merge/alignment.hpp"

#include <cstddef>
#include <vector>

namespace fermata {

/// Measures that moved by one: one was deleted, the ones after it moved forward, and further on one
/// was inserted. Rewriting each of them with the content of its neighbour gives the same two states
/// (for example when some notes of a scale are moved by a step), and the states do not show which
/// of the two was done. The cheaper explanation is assumed: a rewritten measure costs one, an
/// inserted or deleted one two, since it moves others.

/// As many measures on both sides, [i, i_end) and [j, j_end), that moved between a deletion and an
/// insertion.
struct shifted_run {
  std::size_t i, i_end, j, j_end;
  std::size_t beside, beside_end;  ///< of the right side, with insertions directly next to them
  enum class guess {
    moved,  ///< rewriting all of it would cost more than twice as much
    unclear,
    in_place,  ///< rewriting it costs less
  } likely = guess::moved;
};

/// `found`: the corresponding columns (`align_columns`). Ascending, an enclosed one after the one
/// around it.
std::vector<shifted_run> shifted_runs(const score& a, const score& b, const index_pairs& parts,
                                      const index_pairs& found);

}  // namespace fermata
