#pragma once

#include "core/score/delta.hpp"
#include "core/score/kept_elements.hpp"
#include "core/score/score.hpp"

namespace fermata {

/// Pairs of kept ends (pair_end_of) after an edit: an end whose other end the edit has taken away
/// goes, too, and is told of; so does an end that came without a beginning, unless the part was
/// empty before. What only begins may get its end later. Ends that were alone before stay as they
/// are. `d` is the change from `before` to `after`; an edit that touches no such end costs no more
/// than a look at the measures of the change.
[[nodiscard]] score_ptr with_kept_pairs_mended(const score_ptr& before, const score_ptr& after,
                                               const score_delta& d, kept_losses& dropped);
/// The same where nobody has the delta yet.
[[nodiscard]] score_ptr with_kept_pairs_mended(const score_ptr& before, const score_ptr& after,
                                               kept_losses& dropped);

}  // namespace fermata
