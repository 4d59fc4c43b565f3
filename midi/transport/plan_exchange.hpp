#pragma once

#include "midi/transport/playback_plan.hpp"

#include <cstddef>
#include <optional>

namespace fermata::midi {

/// How playback goes on in an edited score: which measures are those that it had before.

/// Gives the measures of `plan` their identities: those of the corresponding measures of `before`,
/// new ones to the others. Null: all are new.
void identify_measures(playback_plan& plan, const playback_plan* before);

/// The bar of `next` that is played where `bar` of `playing` would begin; `bar` may be the end.
///
/// What comes behind the bar that was just played, the same time through the repeats, or the last
/// time if there are fewer: what was inserted there is heard, and a repeat that was added is taken.
/// If the measure that was just played is not there any more, what was written in the place of the
/// next one, else the next one that stayed. Empty: nothing is left, playback ends.
std::optional<std::size_t> continuation(const playback_plan& playing, std::size_t bar,
                                        const playback_plan& next);

}  // namespace fermata::midi
