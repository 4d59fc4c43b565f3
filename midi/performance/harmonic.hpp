#pragma once

#include "core/score/model/score.hpp"

#include <optional>

namespace fermata::midi {

/// What a note of an artificial harmonic adds to its written pitch, in cents; empty: it is silent.
///
/// MusicXML writes such a harmonic as up to three notes of a chord: base-pitch, touching-pitch and
/// sounding-pitch. The sounding one is heard alone. Without it the base is heard, as high above as
/// touching the string at that interval makes it (Gardner Read, "Music Notation", string
/// harmonics): an octave 12 semitones, a fifth 19, a fourth 24, a major sixth or third 28, a minor
/// third 31. At other intervals, and for natural harmonics, the notes are heard as written.
std::optional<int> harmonic_shift(const chord_rest& chord, const note& n);

}  // namespace fermata::midi
