#pragma once

#include "core/score/model/score.hpp"
#include "core/score/model/ties.hpp"

#include <map>

namespace fermata::midi {

/// Where glissandos and slides of a part lead.
///
/// A glissando sounds the distinct notes between its ends, a slide is continuous (MusicXML,
/// "glissando" and "slide"). The semitones of a glissando share the time of its first note evenly,
/// which is our choice. A slide bends its first note from 25 % to 75 % of its length, the
/// schema's defaults (bend-sound), at most two octaves; a wider one is played as a glissando.
struct glide {
  int cents = 0;  ///< from the first note to the second
  bool continuous = false;
};

inline constexpr int widest_slide = 2400;

/// By the note with which the line begins. Lines without an end lead nowhere.
std::map<note_place, glide> glides_of(const part& p);

}  // namespace fermata::midi
