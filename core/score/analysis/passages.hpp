#pragma once

#include "core/score/model/score.hpp"

#include <cstddef>
#include <string_view>
#include <vector>

namespace fermata {

/// The measures enclosed by the repeat signs and endings of a part.

/// Measures [first, last] under one bracket.
struct ending {
  std::size_t first, last;
  std::vector<int> numbers;
  bool leads_back = false;
};

/// A repeated passage: its body, then its endings, if any. Without endings it repeats after `last`.
struct passage {
  std::size_t first = 0, last = 0;
  bool has_sign = false;  ///< it begins with a repeat sign
  std::vector<ending> endings;
};

/// In order of the measures. A repeat inside another comes before it.
std::vector<passage> passages(const part& p);

/// The first barline of a measure at "left" or "right"; null if there is none.
const barline* barline_at(const measure& m, std::string_view location);

/// Only the repeat sign of a barline, with its style.
barline sign_of(const barline& b);
/// Only the bracket of an ending.
barline bracket_of(const barline& b);
/// Removes repeat and ending from the barlines at a side, and barlines that are then empty.
void clear_signs(measure& m, std::string_view location);

}  // namespace fermata
