#pragma once

#include "core/score/model/draft.hpp"
#include "core/score/model/walk.hpp"

#include <algorithm>
#include <cstddef>

namespace fermata {

/// Staves are declared (`attributes::staves`); what stands on one that is not would be a mistake in
/// every program that reads the score.

/// Follows the measures of a part and finds what stands on staves that are not there.
class staff_count {
public:
  explicit staff_count(int declared = 1) : declared_(declared) {}
  void pass(const measure& m);
  void declare(int staves) { declared_ = std::max(declared_, staves); }
  /// The highest staff of those that are missing; 0: none is.
  int missing() const { return missing_; }

private:
  int declared_;
  int missing_ = 0;
};

/// The highest staff of a part that is missing; 0: none is.
int missing_staff(const part& p);

/// Declares the staves up to `staff`, with the clefs of those that `state` does not know: a bass
/// clef for the second one below a treble staff, else that of the first.
attributes staves_up_to(int staff, const part_state& state);

/// Declares from the beginning of a part what is missing in measures [first, end) of it.
void declare_staves(score_draft& draft, std::size_t p, std::size_t first, std::size_t end);

}  // namespace fermata
