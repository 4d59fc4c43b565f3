#pragma once

#include "core/error.hpp"
#include "core/score/model/score.hpp"

#include <vector>

namespace fermata::midi {

/// Marks that change the pitch in a way that has no agreed notes, and are played plain:
/// other-ornament, brass-bend, flip and smear, and harmonics that do not say how they sound. One
/// `errc::left_out` for each kind: "not played: smear (3, first in measure 2)". `ornaments`: they
/// are to be played; otherwise only harmonics are named.
std::vector<diagnostic> unplayed_marks(const score& s, bool ornaments);

}  // namespace fermata::midi
