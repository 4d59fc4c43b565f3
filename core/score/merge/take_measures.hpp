#pragma once

#include "core/score/model/score.hpp"

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace fermata {

/// Some measures of another state of a part that take the place of measures of this one, by index.
struct taken_stretch {
  std::size_t first = 0, lost = 0;       ///< measures [first, first + lost) go
  std::size_t other_first = 0, put = 0;  ///< measures [other_first, other_first + put) come
  bool begins_anew = true;  ///< with the key, metre, clef that hold there in the other state
  bool goes_back = true;    ///< behind it the key, metre, clef of before hold
};

/// Taking measures of one state of a score (a proposal, say) into another one. What stands in them
/// and what stands around them has grown together in two different scores, so at the edges
///
/// - ties, slurs, hairpins and their like that reached over an edge stay where both ends are still
///   those of one line, and else lose the end that is left, inside and outside;
/// - two slurs and the like that were never in force at a time, and are now, are told apart by
///   another number;
/// - beams over the barline that lost their other side are left to be drawn anew;
/// - the measures begin with the key, time, clef and transposition that they were written for, and
///   behind them everything is as it was (unless the stretch says otherwise);
/// - a repeat with its endings comes as a whole or not at all: signs in the measures that belong to
///   a passage which reaches out of them are those that were here before.
struct taken_measures {
  score_ptr score;
  /// What was changed to fit, a sentence each: "left out at the edges: a slur out of measure 4",
  /// "measure 5 goes back to the former key". Empty when nothing was.
  std::vector<std::string> repaired;
};

/// `stretches` by part, ascending and apart from each other; a part without one stays as it is.
/// Both scores have these parts at the same places. Precondition: the stretches lie in both scores.
/// With `numbered`, measures get the numbers of that score, which has as many of them in these
/// parts.
[[nodiscard]] taken_measures take_measures(
    const score_ptr& s, const score& other,
    const std::map<std::size_t, std::vector<taken_stretch>>& stretches,
    const score* numbered = nullptr);

}  // namespace fermata
