#pragma once

#include "core/error.hpp"
#include "core/score/model/score.hpp"

#include <string>
#include <vector>

namespace fermata::io::lilypond {

struct write_options {
  bool midi = false;  ///< ask LilyPond for a MIDI file beside the pages (repeats are not unfolded)
  bool beams_as_given = false;  ///< where the score has beams, notes without one have flags
};

/// The score as input for LilyPond 2.24, to be engraved or worked on. Layout, stems and the placing
/// of things are left to LilyPond; times are exact, so that every barline is checked (`|`).
///
/// Written: notes, chords, rests, graces, tuplets (nested too, with the numbers of the score),
/// beams that the score has, tremolos; ties, slurs, glissandi,
/// trill lines; articulations, ornaments, fingerings and other marks that LilyPond knows; dynamics,
/// hairpins, words, tempo, rehearsal marks, segno and coda, pedals, octave lines; key, time, clef,
/// transposition; barlines, repeats and endings; voices, staves, parts, groups; lyrics; chord
/// symbols, figured bass; cue size; tablature and percussion in staves of their own; title and
/// makers.
///
/// What is not written is told in `losses`, one entry per kind with its number and first place
/// (errc::left_out): "left out for LilyPond: hammer-ons (3, first in measure 2)". Nothing is left
/// out without an entry; positions, sizes, fonts and colours share one, and so does playback.
std::string write(const score& s, const write_options& options = {},
                  std::vector<diagnostic>* losses = nullptr);

}  // namespace fermata::io::lilypond
