#pragma once

#include "core/score/merge/copy_measures.hpp"
#include "core/session/timeline/state.hpp"

#include <optional>
#include <string>
#include <utility>

namespace fermata {

/// Whether an open proposal has been accepted in part: `reason` says which part, its changes are
/// the rest, and its text is still the whole. (In the journal it is `proposal_made` with the same
/// number.)
inline bool is_partly_accepted(const proposal& p) {
  return p.state == proposal::state_t::open && !p.reason.empty();
}

/// Whether a proposal can be applied as it is: what it changes is as it was when it was made.
/// Otherwise its text must be evaluated again.
bool still_fits(const proposal& p, const session_state& s);

/// The requested measures of a change, by position from 1, inclusive: as numbered after the change;
/// deleted measures as numbered before.
struct asked_measures {
  std::pair<int, int> after, before;

  asked_measures(std::pair<int, int> stood_after, std::pair<int, int> stood_before)
    : after(stood_after), before(stood_before) {}
  /// The same positions on both sides.
  asked_measures(int first, int last) : after(first, last), before(first, last) {}
};

/// The part of a change that lies in these measures, as its diff shows them (`delta_text`). A
/// replacement by as many measures is cut at the ends of the range; of inserted measures the first
/// ones may be taken without the others. Measures that only gain or lose a redundant signature
/// count as unchanged (unchanged_measures.hpp). Inserted and deleted parts and changes of titles
/// are left out. Errors: the range contains no change; a deletion, or a replacement by another
/// number of measures, is only partly in it; inserted measures without the ones before them. `s` is
/// the score on which the change is based, or one that it still fits.
struct partial_delta {
  score_delta delta;
  std::size_t taken = 0, left_out = 0;  ///< measures
};
result<partial_delta> within_measures(const score_delta& d, const asked_measures& asked,
                                      const score& s);

/// The number of measures before a measure of `s` (by index) after the change.
std::size_t measures_in_front(const score_delta& d, const score& s, std::size_t index);

/// The score with the part of a change in these measures, and the repairs at their edges
/// (copy_measures.hpp). Parts without changes also get its key and time signature, since all parts
/// share these. Preconditions: `within_measures` returned `partial`, which can be applied to `s`.
copied_measures taken_within(const score_delta& d, const partial_delta& partial,
                             const asked_measures& asked, const score_ptr& s);

}  // namespace fermata
