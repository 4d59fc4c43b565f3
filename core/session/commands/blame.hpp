#pragma once

#include "core/session/timeline/state.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace fermata {

/// Authorship of the notes in a measure.

/// A note and the entry that wrote it. A note is identified by pitch, length, position and voice: a
/// slur or an accent added later does not change its entry.
struct note_origin {
  measure_position at;
  std::string voice;
  int staff = 1;           ///< of the part, from 1
  std::string text;        ///< "c4 :q"
  std::int64_t entry = 0;  ///< 0: written by no entry of the timeline
};

struct measure_origin {
  std::vector<note_origin> notes;     ///< in the order of the measure
  std::vector<std::int64_t> entries;  ///< that changed it, newest first
};

/// Follows the measure back through the entries that made the current score, across insertions and
/// deletions before it. Undone changes are ignored; a redone change belongs to its author.
/// Precondition: the part has the measure.
measure_origin origin_of(const session_state& s, const part& p, std::size_t measure);

}  // namespace fermata
