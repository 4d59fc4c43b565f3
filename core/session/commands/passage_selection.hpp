#pragma once

#include "core/result.hpp"
#include "core/session/commands/playback_effect.hpp"

namespace fermata {

/// Applies the `selection` of a passage to its range and its parts; `s` is the score that is
/// played. What the selection does not name stays as it is. Errors: those of `select_in_score`,
/// `single_measure` and `the_part_called`; measures that the score does not have; no part is left.
[[nodiscard]] result<void> select_in_passage(playback::passage& p, const score& s);

}  // namespace fermata
