#pragma once

#include "core/music/pitch.hpp"

#include <string_view>

namespace fermata::midi::smf {

/// A sound of the General MIDI percussion map (GM System Level 1, keys 35 to 81 of channel 10), and
/// where it is drawn on a percussion staff (about as in N. Weinberg, Guide to Standardized Drumset
/// Notation, not compared row by row; sounds beside the drum set are drawn on the middle line).
struct drum_sound {
  std::string_view name;
  step line = step::b;  ///< as in treble clef
  int octave = 4;
  bool is_cymbal = false;  ///< drawn with a cross
};

/// Of any key: those outside the map have a name too.
drum_sound drum_sound_of(int key);

}  // namespace fermata::midi::smf
