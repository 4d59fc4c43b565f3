#pragma once

#include "midi/transcription/performed_note.hpp"

#include <cstdint>
#include <vector>

namespace fermata::midi {

enum class hand : std::uint8_t { left, right };

/// Which hand plays which note of a keyboard piece; `positions` as in `tracked_rhythm`. Of notes
/// that begin together the lower ones are the left hand's: as many that neither hand spans more
/// than an octave or jumps more than it must, with the widest gap between them, and rather below
/// middle C (a dynamic programme over the number of its notes).
std::vector<hand> hands_of(const std::vector<performed_note>& notes,
                           const std::vector<std::int64_t>& positions);

}  // namespace fermata::midi
