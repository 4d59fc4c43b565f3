#pragma once

#include "io/lilypond/score_plan.hpp"

#include <string>

namespace fermata::io::lilypond {

/// The line of a staff that holds what belongs to the staff and the measure, not to a voice: key,
/// time, clef, transposition, octave lines, measure lengths. The `first` staff of the score also
/// has what belongs to the whole score: barlines, repeats, endings, breaks, tempo, rehearsal marks.
std::string write_global_voice(const score_plan& plan, const part_plan& part, int staff,
                               bool first);

}  // namespace fermata::io::lilypond
