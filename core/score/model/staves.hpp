#pragma once

#include "core/score/model/draft.hpp"
#include "core/score/model/walk.hpp"

#include <algorithm>
#include <cstddef>

namespace fermata {

/// Staves must be declared (`attributes::staves`); items on an undeclared staff would be an error
/// in any program that reads the score.

/// Follows the measures of a part and finds items on undeclared staves.
class staff_count {
public:
  explicit staff_count(int declared = 1) : declared_(declared) {}
  void pass(const measure& m);
  void declare(int staves) { declared_ = std::max(declared_, staves); }
  /// The highest undeclared staff; 0: none.
  int missing() const { return missing_; }

private:
  int declared_;
  int missing_ = 0;
};

/// The highest undeclared staff of a part; 0: none.
int missing_staff(const part& p);

/// Declares the staves up to `staff`, with the clefs of those that `state` does not know: a bass
/// clef for the second one below a treble staff, otherwise that of the first.
attributes staves_up_to(int staff, const part_state& state);

/// Declares missing staves of measures [first, end) at the start of a part.
void declare_staves(score_draft& draft, std::size_t p, std::size_t first, std::size_t end);

}  // namespace fermata
