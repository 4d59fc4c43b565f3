#pragma once

#include "io/lilypond/score_plan.hpp"

#include <string>

namespace fermata::io::lilypond {

/// What stands beside the notes of a staff, as a voice of its own without notes: dynamics,
/// hairpins, words, pedals. Hairpins that overlap need lines of their own; `line` picks those.
/// Empty when there is nothing. Also tells what is left out of directions.
std::string write_directions(const score_plan& plan, const part_plan& part, int staff, int line);
/// How many such lines a staff needs.
int direction_lines(const score_plan& plan, const part_plan& part, int staff);

/// Tempo, rehearsal marks, segno and coda: once for the whole score, from whichever part has them.
std::string write_score_marks(const score_plan& plan);

/// The chord symbols of a part in \chordmode; empty when it has none.
std::string write_chord_names(const score_plan& plan, const part_plan& part);

}  // namespace fermata::io::lilypond
