#pragma once

#include "core/score/score.hpp"
#include "core/score/sounding.hpp"
#include "core/theory/timed_note.hpp"

#include <vector>

namespace fermata {

/// The pitched notes of a score on one time line, as analysis looks at them: repeats unfolded, ties
/// merged, grace notes and tremolos left aside, spelled as written but where they sound.
std::vector<timed_note> timed_notes(const score& s, const unfolded_time& time);

/// The same divided into voices, lowest voice first; a chord of n notes in one voice counts as n
/// voices.
std::vector<std::vector<timed_note>> timed_voices(const score& s, const unfolded_time& time);

}  // namespace fermata
