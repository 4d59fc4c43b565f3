#pragma once

#include "io/lilypond/score_plan.hpp"

namespace fermata::io::lilypond {

/// Counts what the score holds and no writer of this folder looks at, so that the report of an
/// export is complete: members of the score that LilyPond has no word for, and every attribute and
/// element that the score keeps as XML. Of the latter the table in the source names those that are
/// written; what has no row is counted under its own name.
///
/// Positions, sizes, fonts and colours are one entry, and so is what only playback uses: a file has
/// thousands of them, and none is music that a reader would miss.
void count_unwritten(const score_plan& plan);

}  // namespace fermata::io::lilypond
