#pragma once

#include "core/score/merge/alignment.hpp"

#include <cstddef>
#include <vector>

namespace fermata {

/// Measures that are found beside their place: one went, those behind it are one nearer to the
/// front, and further on another came. The same two states come of writing each of them anew with
/// what its neighbour had, as when some notes of a scale are moved by a step, and nothing in the
/// states says which of it was done. What takes less is more likely: a measure written anew counts
/// once, one that came or went twice, as it moves others.

/// As many measures on both sides, [i, i_end) and [j, j_end), which moved between one that went and
/// one that came.
struct shifted_run {
  std::size_t i, i_end, j, j_end;
  std::size_t beside, beside_end;  ///< of the right side, with those that came right beside it
  enum class guess {
    moved,  ///< writing all of it anew would take more than twice as much
    unclear,
    in_place,  ///< writing it anew takes less
  } likely = guess::moved;
};

/// `found`: the columns that are the same place (`align_columns`). Ascending, and what lies in
/// another one behind it.
std::vector<shifted_run> shifted_runs(const score& a, const score& b, const index_pairs& parts,
                                      const index_pairs& found);

}  // namespace fermata
