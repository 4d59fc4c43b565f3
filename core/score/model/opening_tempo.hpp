#pragma once

#include "core/score/model/cursor.hpp"
#include "core/score/model/score.hpp"

namespace fermata {

/// The score with the default tempo at its start, as a metronome mark that is also played; `s`
/// itself if a part has a tempo there, if there is no measure, and at 120, which is played if
/// nothing is specified.
score_ptr with_opening_tempo(const score_ptr& s, const score_defaults& defaults);

/// A metronome mark in quarter notes per minute that is also played.
direction tempo_mark(double quarters_per_minute);

}  // namespace fermata
