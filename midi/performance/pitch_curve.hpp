#pragma once

#include "core/score/model/score.hpp"

#include <vector>

namespace fermata::midi {

/// How the pitch of one note moves while it sounds: linear between the points, constant before the
/// first and after the last.
struct curve_point {
  rational at;    ///< share of the length
  int cents = 0;  ///< from the main pitch
  bool operator==(const curve_point&) const = default;
};
using pitch_curve = std::vector<curve_point>;

/// The widest bend that is played, in cents.
inline constexpr int widest_curve = 2400;

/// The curve that the marks of a note of this length ask for; empty: none does.
///
/// - `bend`: by bend-alter semitones, from 25 % to 75 % of the length (first-beat and last-beat of
///   MusicXML's bend-sound, and its defaults). With `pre-bend` the note begins bent, with `release`
///   it goes back by so much. Their bend-alter is negative in the schema ("bend-alter"), but a
///   string can only be bent upwards: its size counts. Several bends share the length evenly and
///   add up. The offset of a release is not obeyed.
/// - `scoop`, from below, and `plop`, from above, slide into the note; `doit` up and `falloff` down
///   out of it. MusicXML calls them indeterminate slides: here a whole tone in a quarter of the
///   length, at most an eighth, which is our choice.
///
/// `bent`: in cents, where the note that is tied to this one has left the pitch.
pitch_curve curve_of(const note& n, quarters length, int bent = 0);

}  // namespace fermata::midi
