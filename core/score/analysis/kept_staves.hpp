#pragma once

#include "core/score/model/score.hpp"

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace fermata {

/// The part of a measure that is kept when it is replaced by one that does not mention all of its
/// staves: the left hand of a piano if only the right hand is written. A voice with a note on a
/// staff of the new measure is replaced as a whole, even where it crosses to another staff, unless
/// the new measure names only a later voice of that staff: `(voice 2 ...)` replaces the second
/// voice and keeps the first. A new measure without notes and rests names no staff and replaces all
/// of them.
struct kept_staves {
  std::vector<measure_item> items;  ///< in their order, voice by voice
  std::size_t leading = 0;          ///< how many of them were before everything that is replaced
  std::set<std::string> voices;     ///< of these items
  std::set<std::uint8_t> staves;    ///< their staves, if not in the new measure
  bool sounds = false;              ///< there are notes among them, not only rests
  /// Voices with notes for which the new measure has none on their staff.
  std::vector<std::string> removed_voices;
};
kept_staves kept_beside(const measure& made, const measure& old);

/// Adds the kept items to the new measure, before or after its own as they were. A voice of the new
/// measure with the name of a kept voice is renamed: to the voice that it replaces, or to a free
/// name.
void add_kept(measure& made, const kept_staves& kept, const measure& old);

}  // namespace fermata
