#pragma once

#include "core/music/interval.hpp"
#include "core/music/pitch.hpp"
#include "core/theory/tonality.hpp"

namespace fermata {

/// How a sounding pitch is written in a key: the spelling within three fifths below and eight above
/// the major tonic of the signature (E flat to G sharp in C major and A minor), so that raised
/// sixths and sevenths of minor and the usual chromatic tones come out as written. Microtones keep
/// their deviation from the semitone below.
pitch spelled_in_key(int midi_cents, const tonality& key);

/// `semitones` higher (lower when negative), spelled in `key`; whole octaves keep the spelling.
pitch transposed_in_key(pitch p, int semitones, const tonality& key);

/// The interval of so many semitones that takes a whole passage in `key` to the key with the fewest
/// accidentals: one semitone up from C major is a minor second (D flat), from B major an augmented
/// unison would give B sharp, so it is a minor second too (C). Moving every pitch by it keeps the
/// relations between their spellings.
interval transposition_interval(int semitones, const tonality& key);

/// `steps` scale steps higher within the key; what is chromatic stays equally chromatic (in C major
/// f#4 by one step is g#4).
pitch transposed_by_steps(pitch p, int steps, const tonality& key);

/// Mirrored about an axis, interval for interval: e4 about c4 is ab3. Doing it twice gives `p`
/// again.
pitch mirrored(pitch p, pitch axis);

/// Mirrored about an axis by scale steps within the key (tonal inversion): e4 about c4 in C major
/// is a3. Chromatic alterations are mirrored too.
pitch mirrored_in_key(pitch p, pitch axis, const tonality& key);

}  // namespace fermata
