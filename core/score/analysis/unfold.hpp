#pragma once

#include "core/result.hpp"
#include "core/score/model/score.hpp"

#include <cstddef>
#include <vector>

namespace fermata {

/// One measure as it is played.
struct played_measure {
  std::size_t measure = 0;  ///< index into the parts' measures
  int pass = 1;             ///< which time through the innermost repeat: chooses endings and verses
  quarters until;           ///< end of the piece within it ("Fine"); zero: all of it is played
  bool operator==(const played_measure&) const = default;
};

/// The measures in the order in which they are played.
///
/// - A repeat goes back to its forward sign; without one to the end of the previous repeat,
///   otherwise to the beginning. It is played twice, or `times`. Repeats nest.
/// - Endings are chosen by the pass. A repeat with endings is played as often as the highest number
///   says (once more if there is only one ending). Endings without numbers count from 1.
/// - D.C. and D.S. are each taken once, after the repeats of their measure. After one of them
///   "Fine" ends the piece and "To Coda" leads to the coda, unless the words "al Fine" or "al Coda"
///   restrict this; repeats are not taken again (their last ending is played) unless the barline
///   says after-jump, or until the coda is reached.
///
/// For the meaning of each sign see jumps.hpp.
///
/// Error `out_of_range` if the piece would be longer than `longest` measures: more than anyone
/// plays, and a bound for mistaken repeat counts.
[[nodiscard]] result<std::vector<played_measure>> playing_order(const score& s,
                                                                std::size_t longest = 200'000);

}  // namespace fermata
