#pragma once

#include "core/score/model/direction.hpp"
#include "core/score/model/measure.hpp"

namespace fermata {

/// Whether two attribute blocks can be joined: nothing is specified twice, no preserved content is
/// mixed up.
bool can_join(const attributes& a, const attributes& b);
/// Adds the contents of `b` to `a`. Precondition: `can_join`.
void join(attributes& a, attributes&& b);

/// Whether two attributes of a kind are for the same staff, so that they must be in separate
/// blocks.
bool sets_something_twice(const attributes& x);

}  // namespace fermata
