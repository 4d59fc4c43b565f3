#pragma once

#include "core/music/pitch.hpp"
#include "core/theory/chord_type.hpp"

#include <string>
#include <vector>

namespace fermata {

/// A name that fits some sounding pitches.
struct chord_match {
  pitch_name root;
  const chord_type* type = nullptr;
  pitch_name bass;
  int inversion = 0;       ///< which chord tone is the bass, 0 the root; -1: the bass is foreign
  bool as_spelled = true;  ///< the pitches are written as the chord is; else they only sound so
};

/// "C", "Am7/E": root and type, and the bass when it is not the root.
std::string to_string(const chord_match& m);

/// All names of exactly these pitches (octaves and doublings do not matter), the likeliest first:
/// root position and common kinds before inversions and rare ones, written spelling before
/// enharmonic. When nothing fits, the bass is taken as foreign ("C/D"). Empty for fewer than two
/// different pitch classes, for microtones, and for what has no name.
std::vector<chord_match> identify_chord(const std::vector<pitch>& pitches);

}  // namespace fermata
