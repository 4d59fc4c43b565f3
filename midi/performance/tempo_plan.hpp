#pragma once

#include "midi/performance/pauses.hpp"
#include "midi/performance/tempo_map.hpp"
#include "midi/performance/tempo_signs.hpp"
#include "midi/performance/written_change.hpp"

#include <vector>

namespace fermata::midi {

struct tempo_options {
  bool gradual = true;  ///< else ritardandos and accelerandos are left out
  bool pauses = true;   ///< else fermatas and caesuras are
};

/// The tempo of the written score as steps, each a number of microseconds for a quarter note.
///
/// A gradual change runs to the next sign, to the repeat barline or jump behind it, or to the end.
/// It is linear in the tempo, a step for each eighth note with the tempo of its middle. It goes to
/// the tempo that is written where it ends if that is in its direction, else by the factor of the
/// word (tempo_signs.hpp). Several in a row go to a quarter of the tempo before, or to four times
/// as fast, at most.
std::vector<written_change<std::int64_t>> written_tempo(const score& s,
                                                        const std::vector<quarters>& starts,
                                                        const pauses& held,
                                                        const tempo_options& options);

/// The written tempo as it is played.
tempo_map unfolded_tempo(const std::vector<written_change<std::int64_t>>& written,
                         const unfolded_time& time);

}  // namespace fermata::midi
