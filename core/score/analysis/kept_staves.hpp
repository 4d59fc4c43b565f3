#pragma once

#include "core/score/model/score.hpp"

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace fermata {

/// What of a measure stays when another one is written in its place that says nothing of some of
/// its staves: the left hand of a piano, when only the right hand is written anew. A voice that has
/// a note on a staff which the new measure writes on goes as a whole, also where it crosses to
/// another staff, unless the new measure names only a later voice of that staff: `(voice 2 ...)`
/// replaces the second voice and leaves the first. A new measure without notes and rests names no
/// staff and replaces all of them.
struct kept_staves {
  std::vector<measure_item> items;  ///< in their order, voice by voice
  std::size_t leading = 0;          ///< how many of them stood before all that is replaced
  std::set<std::string> voices;     ///< of those
  std::set<std::uint8_t> staves;    ///< those that they are on and the new measure is not
  bool sounds = false;              ///< there are notes among them, not only rests
  /// Voices with notes for which the new measure has none on their staff.
  std::vector<std::string> removed_voices;
};
kept_staves kept_beside(const measure& made, const measure& old);

/// Adds what stays to the new measure, in front of it or behind it as it stood. Its voices get
/// other names where they are those of what stays: that of the voice they replace, else one that is
/// free.
void add_kept(measure& made, const kept_staves& kept, const measure& old);

}  // namespace fermata
