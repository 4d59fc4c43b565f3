#pragma once

#include "core/session/timeline/state.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace fermata {

/// Who wrote what stands in a measure.

/// A note and the entry that put it where it is. A note is the same one as long as pitch, length,
/// place and voice are: a slur or an accent added later does not make it another's.
struct note_origin {
  measure_position at;
  std::string voice;
  int staff = 1;           ///< of the part, from 1
  std::string text;        ///< "c4 :q"
  std::int64_t entry = 0;  ///< 0: nothing in the timeline wrote it
};

struct measure_origin {
  std::vector<note_origin> notes;     ///< as they stand in the measure
  std::vector<std::int64_t> entries;  ///< that touched it on the way here, newest first
};

/// Follows the measure back through the entries that made the current score, through insertions
/// and deletions before it. What was undone wrote nothing; what `:undo` brought back belongs to the
/// one who wrote it. Precondition: the part has the measure.
measure_origin origin_of(const session_state& s, const part& p, std::size_t measure);

}  // namespace fermata
