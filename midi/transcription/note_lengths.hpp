#pragma once

#include "midi/transcription/hands.hpp"
#include "midi/transcription/pedal_span.hpp"
#include "midi/transcription/performed_note.hpp"
#include "midi/transcription/rhythm_tracker.hpp"

#include <cstdint>
#include <vector>

namespace fermata::midi {

/// The written length of each note, in ticks.
///
/// Players hold notes for shorter or, with the pedal, longer than written: most notes last to the
/// next onset of their hand whatever was played. Each onset that follows in the hand and each note
/// value is a candidate; one that is far from the played length costs, more so if it is shorter
/// than played, and each onset that is passed over, which needs another voice, and each end without
/// an onset, which needs a rest. What the pedal holds to the next onset is
/// written as held, however short the key was down.
std::vector<std::int64_t> note_lengths(const std::vector<performed_note>& notes,
                                       const tracked_rhythm& rhythm, const std::vector<hand>& hands,
                                       const std::vector<pedal_span>& pedal = {});

}  // namespace fermata::midi
