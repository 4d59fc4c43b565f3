#pragma once

#include "core/score/model/cursor.hpp"
#include "core/score/model/score.hpp"

namespace fermata {

/// The score with the tempo of the defaults where it begins, as a metronome mark that is also
/// played; `s` itself when a part says a tempo there, when there is no measure, and at 120, which
/// is played where nothing is written.
score_ptr with_opening_tempo(const score_ptr& s, const score_defaults& defaults);

}  // namespace fermata
