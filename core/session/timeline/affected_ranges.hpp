#pragma once

#include "core/score/model/delta.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fermata {

/// A range of one part that a change affects: measures by position from 1, inclusive, in the score
/// after the change (for a deletion: the measure that follows it).
struct touched_stretch {
  std::string_view part_id, part_name;  ///< point into the delta
  int first = 1, last = 1;
  std::string first_number, last_number;  ///< as printed; of deleted measures, the former ones
};

/// Everything that a change affects, in the order of the delta. A change of a part's name or of the
/// score's title affects no measure and is not listed; nor are measures that were only renumbered.
std::vector<touched_stretch> touched(const score_delta& d);

/// A part in a query for changes: by id or name, or by instrument if the score has no part of that
/// name. A renamed part counts under the name that it had at the time.
struct wanted_part {
  std::string name;
  /// The names of the parts that the word denotes as an instrument.
  std::vector<std::string> also;
  bool or_instrument = true;  ///< the word may denote an instrument

  wanted_part(std::string word) : name(std::move(word)) {}
  wanted_part(const char* word) : name(word) {}
  static wanted_part of(std::string word, const score& now);
};

/// Whether the change affects this part (empty: any) within these measures (empty: anywhere,
/// including the part's own name and position).
bool touches(const score_delta& d, const std::optional<wanted_part>& part,
             std::optional<std::pair<int, int>> measures);

}  // namespace fermata
