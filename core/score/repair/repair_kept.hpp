#pragma once

#include "core/score/model/delta.hpp"
#include "core/score/model/kept_elements.hpp"
#include "core/score/model/score.hpp"

#include <cstdint>

namespace fermata {

/// What happens to an unpaired new start.
enum class unpaired_starts : std::uint8_t {
  stay,  ///< its stop may follow
  go     ///< unless it is after all existing music: what is written next may end it
};

/// Pairs of kept ends (pair_end_of) after an edit: an end whose other end was removed by the edit
/// is removed too, and reported; so is a new unpaired end, unless the part was empty before. Ends
/// that were unpaired before are kept. `d` is the change from `before` to `after`; an edit without
/// such ends costs no more than a scan of the changed measures.
[[nodiscard]] score_ptr with_kept_pairs_repaired(const score_ptr& before, const score_ptr& after,
                                                 const score_delta& d, kept_losses& dropped,
                                                 unpaired_starts starts = unpaired_starts::stay);
/// The same without a given delta.
[[nodiscard]] score_ptr with_kept_pairs_repaired(const score_ptr& before, const score_ptr& after,
                                                 kept_losses& dropped);

}  // namespace fermata
