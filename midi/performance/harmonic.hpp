#pragma once

#include "core/score/model/score.hpp"

namespace fermata::midi {

/// How a note of a harmonic is heard.
///
/// MusicXML writes an artificial harmonic as up to three notes of a chord: base-pitch,
/// touching-pitch and sounding-pitch. The sounding one is heard alone. Without it the base is
/// transposed up to the harmonic that touching the string at that interval produces (Gardner Read,
/// "Music Notation", string harmonics): an octave 12 semitones, a fifth 19, a fourth 24, a major
/// sixth or major third 28, a minor third 31. In double stops the lowest base belongs to the lowest
/// touching pitch. Of two notes that only say `artificial` the lower one is the base, which is our
/// choice.
///
/// Natural harmonics are heard as written: a circle stands above the sounding pitch (Read). What
/// says too little is heard as written too, and named by unplayed_marks.hpp.
struct played_harmonic {
  int cents = 0;  ///< added to the written pitch
  bool is_silent = false;
  bool is_unclear = false;  ///< heard as written, though it does not sound so
  bool operator==(const played_harmonic&) const = default;
};
played_harmonic harmonic_in(const chord_rest& chord, const note& n);

}  // namespace fermata::midi
