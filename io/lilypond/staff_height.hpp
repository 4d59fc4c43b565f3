#pragma once

#include "core/music/clef.hpp"
#include "core/music/key.hpp"
#include "core/music/pitch.hpp"
#include "core/score/model/note.hpp"

#include <optional>

namespace fermata::io::lilypond {

/// The pitch that LilyPond draws where MusicXML puts a note without pitch, or a rest with a height.
/// It is altered as the key says, so that no accidental is drawn. Empty for a note with a pitch and
/// for a rest that is where rests usually are.
///
/// MusicXML reads <display-step> and <display-octave> by the clef, and with a percussion clef as in
/// the treble clef; LilyPond puts c' on the middle line of a percussion clef. A note that says
/// nothing is on the middle line.
std::optional<pitch> staff_height(const note& n, const clef& c, const key_signature& k);

}  // namespace fermata::io::lilypond
