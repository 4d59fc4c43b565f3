#pragma once

#include "core/score/model/score.hpp"

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace fermata {

/// Measures of another state of a part that replace measures of this one, by index.
struct copied_stretch {
  std::size_t first = 0, lost = 0;       ///< measures [first, first + lost) are removed
  std::size_t other_first = 0, put = 0;  ///< measures [other_first, other_first + put) are inserted
  bool begins_anew = true;  ///< starts with its key, time signature and clef of the other state
  bool goes_back = true;    ///< after it, the previous key, time signature and clef are restored
};

/// Copying measures of one state of a score (a proposal, for example) into another one. Their
/// contents and their surroundings come from different scores, so at the edges
///
///
/// - ties, slurs, hairpins and similar spanners across an edge are kept if both ends still belong
///   to the same spanner; otherwise the remaining end is removed, inside and outside;
/// - slurs and similar spanners that overlap only now get different numbers;
/// - beams over the barline that lost their other side are removed, to be drawn again;
/// - the measures start with the key, time, clef and transposition that they were written for, and
///   after them the previous ones are restored (unless the stretch says otherwise);
/// - a repeat with its endings is copied as a whole or not at all: if a passage extends beyond the
///   copied measures, they keep the signs that were here before.
struct copied_measures {
  score_ptr score;
  /// Repairs, one sentence each: "left out at the edges: a slur out of measure 4", "measure 5
  /// restores the former key". Empty if there are none.
  std::vector<std::string> repaired;
};

/// `stretches` by part, ascending and disjoint; a part without one is unchanged. Both scores have
/// these parts at the same indices. Precondition: the stretches are within both scores. With
/// `numbered`, measures get the numbers of that score, which has the same number of measures in
/// these parts.
[[nodiscard]] copied_measures copy_measures(
    const score_ptr& s, const score& other,
    const std::map<std::size_t, std::vector<copied_stretch>>& stretches,
    const score* numbered = nullptr);

}  // namespace fermata
