#pragma once

#include "core/score/model/direction.hpp"
#include "core/score/model/measure.hpp"

namespace fermata {

/// Whether two attribute blocks can be one: nothing is said twice, nothing preserved is mixed up.
bool can_join(const attributes& a, const attributes& b);
/// Adds what `b` says to `a`. Precondition: `can_join`.
void join(attributes& a, attributes&& b);

/// Whether two things of a kind are for one staff, so that side by side they would be two blocks.
bool sets_something_twice(const attributes& x);

}  // namespace fermata
