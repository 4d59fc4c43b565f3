#pragma once

#include "core/score/merge/take_measures.hpp"
#include "core/session/timeline/state.hpp"

#include <optional>
#include <string>
#include <utility>

namespace fermata {

/// Whether some measures of an open proposal were accepted and the rest still waits: `reason` says
/// which, and its changes are what is left, while its text says all of it. (The journal has it as
/// `proposal_made` with the same number.)
inline bool is_partly_taken(const proposal& p) {
  return p.state == proposal::state_t::open && !p.reason.empty();
}

/// Whether a proposal can be taken as it is: the places that it changes are as they were when it
/// was made. Otherwise its text has to be evaluated again.
bool still_fits(const proposal& p, const session_state& s);

/// Measures of a change that are asked for, by their places from 1, inclusive: as they stand after
/// it, and, of those that it deletes, as they stood before.
struct asked_measures {
  std::pair<int, int> after, before;

  asked_measures(std::pair<int, int> stood_after, std::pair<int, int> stood_before)
    : after(stood_after), before(stood_before) {}
  /// The same places on both sides.
  asked_measures(int first, int last) : after(first, last), before(first, last) {}
};

/// What of a change lies in these measures, as its diff shows them (`delta_text`). Measures
/// replaced one for one are cut at the ends of the range; of new ones the first may be taken
/// without the others. Measures that only say again, or no longer, what holds in them are not
/// changed (unchanged_measures.hpp). Parts that come or go and changes of titles are left out.
/// Errors: nothing lies there; a deletion, or a change of several measures to another number of
/// them, lies half in it; new measures without those in front of them. `s` is the score that the
/// change was made of, or one that it still fits.
struct partial_delta {
  score_delta delta;
  std::size_t taken = 0, left_out = 0;  ///< measures
};
result<partial_delta> within_measures(const score_delta& d, const asked_measures& asked,
                                      const score& s);

/// How many measures stand in front of a measure of `s` (by index) once the change is made.
std::size_t measures_in_front(const score_delta& d, const score& s, std::size_t index);

/// The score with what of a change lies in these measures, and what was repaired at their edges
/// (take_measures.hpp). Parts of which nothing is taken get the key and metre of the change too, as
/// all parts of a measure have the same. Precondition: `within_measures` gave `partial`, and it can
/// be applied to `s`.
taken_measures taken_within(const score_delta& d, const partial_delta& partial,
                            const asked_measures& asked, const score_ptr& s);

}  // namespace fermata
