#pragma once

#include "midi/transcription/counted_metre.hpp"
#include "midi/transcription/performed_note.hpp"

#include <array>
#include <vector>

namespace fermata::midi {

/// How well each metric level explains what is heard at an onset: log-likelihood ratios.
struct onset_accent {
  bool begins_chord = false;  ///< the first note of several that sound together
  std::array<float, metric_levels> evidence{};
};

/// One for each note. `notes` are in order of `on`. Heard are the number of notes that begin
/// together, whether the lowest is lower than its neighbours, and how long they are held in
/// comparison with them; how often each is found on each level was counted in 40 scores of
/// OpenScore (CC0).
std::vector<onset_accent> onset_accents(const std::vector<performed_note>& notes);

}  // namespace fermata::midi
