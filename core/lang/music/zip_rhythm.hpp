#pragma once

#include "core/lang/call.hpp"

namespace fermata {

/// Notes of a rhythm and pitches, one with one: what is meant when a list of durations is zipped
/// with a list of pitches.

/// A list of durations: `:q`, `:8.`, or values of duration forms. Not an empty one, and no numbers.
bool is_rhythm(const value& v);
/// A list of pitches and of chords, which are lists of pitches.
bool is_pitches(const value& v);

/// Notes, as many as the shorter one has; with `cycle` the shorter one begins anew until the longer
/// one ends. Both may be music too: of the rhythm its notes, rests, ties and tuplets are taken, of
/// the pitches all but ties and lengths.
result<value> zipped_with_rhythm(call& c, const value& rhythm, const value& pitches, bool cycle);

}  // namespace fermata
