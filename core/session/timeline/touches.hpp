#pragma once

#include "core/score/model/delta.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fermata {

/// A stretch of one part that a change lies in: measures by place from 1, inclusive, as the score
/// was after the change (where something was deleted: the measure that came to stand there).
struct touched_stretch {
  std::string_view part_id, part_name;  ///< point into the delta
  int first = 1, last = 1;
  std::string first_number, last_number;  ///< as printed; of what was deleted those it had
};

/// Everything a change lies in, in the order of the delta. A change of a part's name or of the
/// score's title lies in no measure and is not listed, nor are measures that only got other
/// numbers because some came or went before them.
std::vector<touched_stretch> touched(const score_delta& d);

/// A part as one asks for what changed it: by id or name, or by the instrument when the score has
/// no part of that name. A part that was called something else counts under the name it had then.
struct wanted_part {
  std::string name;
  /// The parts of the score that the word means as an instrument, by their names.
  std::vector<std::string> also;
  bool or_instrument = true;  ///< the word may mean an instrument

  wanted_part(std::string word) : name(std::move(word)) {}
  wanted_part(const char* word) : name(word) {}
  static wanted_part of(std::string word, const score& now);
};

/// Whether the change touches this part (empty: any) within these measures (empty: anywhere, the
/// part's own name and place included).
bool touches(const score_delta& d, const std::optional<wanted_part>& part,
             std::optional<std::pair<int, int>> measures);

}  // namespace fermata
