#pragma once

#include "core/score/take_measures.hpp"
#include "core/session/state.hpp"

#include <optional>
#include <string>
#include <utility>

namespace fermata {

/// Whether a proposal can be taken as it is: the places that it changes are as they were when it
/// was made. Otherwise its text has to be evaluated again.
bool still_fits(const proposal& p, const session_state& s);

/// What of a change lies in these measures (from 1, inclusive), counted as its diff shows them
/// (`delta_text`): as they stand after it, and those that it deletes as they stood before. Measures
/// replaced one for one are cut at the ends of the range; of new ones the first may be taken
/// without the others. Parts that come or go and changes of titles are left out. Errors: nothing
/// lies there; a deletion, or a change of several measures to another number of them, lies half in
/// it; new measures without those in front of them. `s` is the score that the change was made of,
/// or one that it still fits.
struct partial_delta {
  score_delta delta;
  std::size_t taken = 0, left_out = 0;  ///< measures
};
result<partial_delta> within_measures(const score_delta& d, std::pair<int, int> measures,
                                      const score& s);

/// The score with what of a change lies in these measures, and what was mended at their edges
/// (take_measures.hpp). Parts of which nothing is taken get the key and metre of the change too, as
/// all parts of a measure have the same. Precondition: `within_measures` gave `partial`, and it can
/// be applied to `s`.
taken_measures taken_within(const score_delta& d, const partial_delta& partial,
                            std::pair<int, int> measures, const score_ptr& s);

}  // namespace fermata
