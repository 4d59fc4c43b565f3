#pragma once

#include "core/session/state.hpp"

#include <optional>
#include <string>
#include <utility>

namespace fermata {

/// Whether a proposal can be taken as it is: the places that it changes are as they were when it
/// was made. Otherwise its text has to be evaluated again.
bool still_fits(const proposal& p, const session_state& s);

/// What of a change lies in these measures (from 1, inclusive): measures replaced one for one are
/// cut at the ends of the range, and so are those that a part gets at its end; inserted and deleted
/// ones are taken when they lie wholly in it. Parts that come or go and changes of titles are left
/// out. Errors: nothing lies there; an insertion or deletion lies half in it; measures at the end
/// without those in front of them.
struct partial_delta {
  score_delta delta;
  std::size_t taken = 0, left_out = 0;  ///< measures
};
result<partial_delta> within_measures(const score_delta& d, std::pair<int, int> measures);

}  // namespace fermata
