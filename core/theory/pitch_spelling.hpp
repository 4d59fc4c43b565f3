#pragma once

#include "core/music/pitch.hpp"
#include "core/theory/key_tracking.hpp"

#include <vector>

namespace fermata {

/// Spells the notes of a piece, given in any order and answered in that order.
///
/// Each note is written as its place in the key that `track_keys` hears there: diatonic tones as
/// the key has them, chromatic ones by the commonest alteration (sharp fourth, flat sixth and
/// seventh
/// ...). Where two spellings are current, a step of a semitone to a following note of the same
/// strand decides: rising tones are sharp, falling ones flat. With key signatures the keys keep
/// close to them.
///
/// Measured on the OpenScore songs against the composers' spelling: 98.4 percent without and 99.0
/// with signatures (ps13s1: 89.2; up to a shift of the whole work 97.3).
std::vector<pitch> spelled(const std::vector<unspelled_note>& notes,
                           const std::vector<signature_change>& signatures = {});

/// Meredith's ps13s1 (The ps13 pitch spelling algorithm, Journal of New Music Research 35, 2006;
/// the variant without voice-leading correction): each note takes the letter that the tonics
/// implied by the `before` notes before and the `after` notes from it on agree on, each tonic
/// counting as often as it sounds. Kept as the published point of comparison.
std::vector<pitch> ps13s1(const std::vector<unspelled_note>& notes, int before = 10,
                          int after = 40);

/// The pitch on the line of fifths that sounds as a MIDI key: 6 and 66 are F sharp 4. Any place of
/// the right pitch class will do.
pitch placed_on_line(int line_of_fifths, int midi_key);

}  // namespace fermata
