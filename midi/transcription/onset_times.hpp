#pragma once

#include "midi/transcription/beat_grid.hpp"
#include "midi/transcription/performed_note.hpp"
#include "midi/transcription/rhythm_tracker.hpp"

#include <optional>
#include <vector>

namespace fermata::midi {

/// When notes begin, in seconds. With a known grid: by a metronome as steady as the grid is not, so
/// that the beats of the grid are `metronome_quarter` apart and the first downbeat is at 0.
struct onset_times {
  std::vector<double> seconds;
  std::optional<double> metronome_quarter;

  onset_times(const std::vector<performed_note>& notes, const std::optional<beat_grid>& grid);
};

/// How far, in seconds, a player usually is from the metronome, apart from what all notes are
/// late. `of `r` are from the first downbeat.
double deviation_from_metronome(const onset_times& onsets, const tracked_rhythm& r);

/// Where the second eighth of a beat is played, as a share of the beat: the median over the beats
/// with onsets there, at their beginning and at their end. Nothing if there is none.
std::optional<double> share_of_offbeats(const onset_times& onsets, const tracked_rhythm& r);

}  // namespace fermata::midi
