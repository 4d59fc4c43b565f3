#pragma once

#include "io/lilypond/score_plan.hpp"

#include <string>

namespace fermata::io::lilypond {

/// The notes and rests of one voice through the whole piece, with what hangs on them.
std::string write_voice(const score_plan& plan, const part_plan& part, const voice_plan& voice);

/// One verse of a voice, a syllable or a blank for each of its notes.
std::string write_verse(const score_plan& plan, const part_plan& part, const voice_plan& voice,
                        const std::string& verse);

}  // namespace fermata::io::lilypond
