#pragma once

#include "core/lang/evaluation/call.hpp"

namespace fermata {

/// Combines the notes of a rhythm with pitches, one by one, for lists of durations zipped with
/// lists of pitches.

/// Notes, as many as the shorter one has; with `cycle` the shorter one is repeated until the longer
/// one ends. Both may also be music: the rhythm gives notes, rests, ties and tuplets, the pitches
/// everything but ties and lengths.
result<value> zipped_with_rhythm(call& c, const value& rhythm, const value& pitches, bool cycle);

}  // namespace fermata
