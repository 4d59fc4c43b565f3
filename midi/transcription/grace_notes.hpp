#pragma once

#include "midi/transcription/performed_note.hpp"

#include <vector>

namespace fermata::midi {

/// Which notes, in order of `on`, are played as a grace note is: alone, 25 to 80 ms before a note
/// one or two semitones away, and let go when that one begins. The notes of a chord, also of a
/// broken one, are held together; those of a run or a trill have others near.
std::vector<bool> played_as_grace_notes(const std::vector<performed_note>& notes);

}  // namespace fermata::midi
