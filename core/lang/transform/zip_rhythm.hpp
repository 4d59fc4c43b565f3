#pragma once

#include "core/lang/evaluation/call.hpp"

namespace fermata {

/// Notes of a rhythm and pitches, one with one: what is meant when a list of durations is zipped
/// with a list of pitches.

/// Notes, as many as the shorter one has; with `cycle` the shorter one begins anew until the longer
/// one ends. Both may be music too: of the rhythm its notes, rests, ties and tuplets are taken, of
/// the pitches all but ties and lengths.
result<value> zipped_with_rhythm(call& c, const value& rhythm, const value& pitches, bool cycle);

}  // namespace fermata
