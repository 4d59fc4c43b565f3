#pragma once

#include "core/music/instruments.hpp"
#include "core/score/analysis/sounding.hpp"
#include "core/score/model/score.hpp"
#include "core/theory/timed_note.hpp"
#include "core/theory/voice_leading.hpp"

#include <cstddef>
#include <optional>
#include <vector>

namespace fermata {

/// The pitched notes of a score on one time line, as analysis looks at them: repeats unfolded, ties
/// merged, grace notes and tremolos left aside, spelled as written but where they sound.
std::vector<timed_note> timed_notes(const score& s, const unfolded_time& time);

/// A written pitch that has none of the twelve pitch classes, and where it is.
struct placed_microtone {
  fermata::pitch pitch;
  std::size_t part = 0, measure = 0;  ///< indices
};
/// The first one among the notes that analysis looks at.
std::optional<placed_microtone> first_microtone(const score& s);

/// The notes of a voice, and what plays them.
struct timed_voice {
  std::vector<timed_note> notes;
  const instrument_info* instrument = nullptr;  ///< of its first note; null: one nobody knows
};

/// The same divided into voices, lowest voice first; a chord of n notes in one voice counts as n
/// voices.
std::vector<timed_voice> timed_voices(const score& s, const unfolded_time& time);

/// Cuts them at every onset and release.
std::vector<voice_moment> voice_moments(const std::vector<timed_voice>& voices);

/// How low and high each voice can go: as its instrument sounds. Four voices are a choir where none
/// is for an instrument that is not sung; a piano is what chorales are written for, too.
std::vector<std::optional<voice_range>> ranges_of(const std::vector<timed_voice>& voices);

}  // namespace fermata
