#pragma once

#include "core/score/model/score.hpp"
#include "io/lilypond/score_plan.hpp"

#include <cstddef>
#include <map>
#include <string>
#include <utility>

namespace fermata::io::lilypond {

/// What the beam of a chord is in LilyPond: settings before it, and the post-event behind it.
struct beam_words {
  std::string before;  ///< "\set stemRightBeamCount = #1"
  std::string after;   ///< "[", "]" or "\noBeam"
};

/// The beams of a voice as the score has them, by measure and item. A voice that has no beams at
/// all is left to LilyPond; so are, unless the beams are `as_given`, the measures without any, as
/// music that was written here has beams only where they differ from the usual ones. Beams whose
/// other end is missing are counted as left out.
std::map<std::pair<std::size_t, std::size_t>, beam_words> beams_of(const score_plan& plan,
                                                                   const part_plan& part,
                                                                   const voice_plan& voice);

}  // namespace fermata::io::lilypond
