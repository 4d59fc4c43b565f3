#pragma once

#include "core/result.hpp"
#include "core/session/commands/playback_effect.hpp"

namespace fermata {

/// Makes the passage the part of `s`, the score that it plays, that its `selection` names: its
/// range and its parts. What the selection does not name stays as it is. Errors: those of
/// `select_in_score`, `single_measure` and `the_part_called`; measures that the score does not have;
/// no part is left.
result<void> select_in_passage(playback::passage& p, const score& s);

}  // namespace fermata
