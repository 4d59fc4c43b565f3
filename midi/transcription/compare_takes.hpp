#pragma once

#include "midi/transcription/performed_note.hpp"

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace fermata::midi {

/// How one performance differs from another one of the same music.
struct take_comparison {
  std::size_t common = 0;                   ///< notes that both have
  std::vector<performed_note> only_first;   ///< in order of time
  std::vector<performed_note> only_second;  ///< likewise
  /// Tempo of the second, relative to the first: 1.1 is a tenth faster. Empty where the common
  /// notes take less than half a second.
  std::optional<double> tempo;
  /// Median distance of the onsets of common notes, once the second has the tempo of the first.
  std::chrono::nanoseconds timing{};
  double velocity = 0;  ///< mean of the common notes, the second less the first, in MIDI units
};

/// Compares notes in order of `on`. Common notes are a longest sequence of equal keys in the order
/// in which they were played; within a chord (30 ms) the order does not count. Tempo: the slope of
/// the line through the onsets of the common notes (least squares). Empty: they are so different
/// that a comparison would say nothing.
std::optional<take_comparison> compare_performances(const std::vector<performed_note>& first,
                                                    const std::vector<performed_note>& second);

/// "23 notes in common\nonly in take 1: f#4 at 3.21 s\n...", with the first ten of many.
std::string described(const take_comparison& c, int first, int second);

}  // namespace fermata::midi
