#pragma once

#include "midi/transcription/onset_accents.hpp"
#include "midi/transcription/onset_times.hpp"
#include "midi/transcription/rhythm_model.hpp"
#include "midi/transcription/rhythm_tracker.hpp"
#include "midi/transcription/tempo_filter.hpp"

#include <cstddef>
#include <optional>
#include <vector>

namespace fermata::midi {

/// How the rhythm is read.
struct metre_reading {
  counted_metre metre;
  bool is_swung = false;  ///< in simple metres
};

/// What is known of the notes for any reading.
struct tracked_notes {
  const onset_times& onsets;
  const std::vector<onset_accent>& accents;  ///< one for each note
  const std::vector<bool>& is_like_grace;    ///< grace_notes.hpp
};

/// The likeliest rhythm in one metre, by following hypotheses (rhythm_tracker.hpp); of the first
/// notes only, if there are more than `most`. With a metronome the positions are from its first
/// downbeat and may be negative. Nothing when it was cancelled.
std::optional<tracked_rhythm> track_in_metre(const tracked_notes& notes, const metre_reading& how,
                                             const rhythm_model& model, const beat_timing& timing,
                                             const tracker_options& options, std::size_t most);

}  // namespace fermata::midi
