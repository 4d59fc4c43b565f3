#pragma once

#include "io/lilypond/score_plan.hpp"

#include <string>

namespace fermata::io::lilypond {

/// The figured bass of a part in \figuremode; empty when it has none. Also tells what is left out.
std::string write_figured_bass(const score_plan& plan, const part_plan& part);

}  // namespace fermata::io::lilypond
