#pragma once

#include "core/score/model/delta.hpp"
#include "core/score/model/kept_elements.hpp"
#include "core/score/model/score.hpp"

#include <cstdint>

namespace fermata {

/// What becomes of a start that came without a stop.
enum class lone_starts : std::uint8_t {
  stay,  ///< its stop may still come
  go     ///< unless it is behind all that was there before: what is written next may end it
};

/// Pairs of kept ends (pair_end_of) after an edit: an end whose other end the edit has taken away
/// goes, too, and is told of; so does an end that came alone, unless the part was empty before.
/// Ends that were alone before stay as they are. `d` is the change from `before` to `after`; an
/// edit that touches no such end costs no more than a look at the measures of the change.
[[nodiscard]] score_ptr with_kept_pairs_repaired(const score_ptr& before, const score_ptr& after,
                                                 const score_delta& d, kept_losses& dropped,
                                                 lone_starts starts = lone_starts::stay);
/// The same where nobody has the delta yet.
[[nodiscard]] score_ptr with_kept_pairs_repaired(const score_ptr& before, const score_ptr& after,
                                                 kept_losses& dropped);

}  // namespace fermata
