#pragma once

#include "core/score/analysis/sounding.hpp"
#include "core/score/model/score.hpp"
#include "midi/performance/pauses.hpp"
#include "midi/performance/played_note.hpp"
#include "midi/performance/render.hpp"
#include "midi/performance/swing.hpp"

#include <cstddef>
#include <vector>

namespace fermata::midi {

/// What all parts of a score need to know about it.
struct score_in_time {
  const score& written;
  const unfolded_time& time;
  const std::vector<quarters>& starts;  ///< of the written measures (`measure_starts`)
  const std::vector<sounding_note>& sounding;
  const pauses& held;
  const std::vector<written_change<swing>>& swings;
  const render_options& options;
};

/// The notes of a part as a player plays them: how loud, how long, with the notes that ornaments
/// and glissandos stand for. In order of their beginning. `notes`: indices into `sounding`, by
/// onset.
std::vector<played_note> played_notes(const score_in_time& s, std::size_t part,
                                      const std::vector<std::size_t>& notes);

}  // namespace fermata::midi
