#pragma once

#include "core/music/interval.hpp"

#include <string_view>
#include <vector>

namespace fermata {

/// A tone by which a chord differs from the kind it is named after, as MusicXML 4.0's <degree>.
struct chord_degree {
  int number = 0;  ///< above the root: 9
  int cents = 0;   ///< subtract: 0; alter: against the kind's own tone; add: against the major or
                   ///< perfect interval, for a seventh against the minor one
  std::string_view type;  ///< degree-type-value: "add" "alter" "subtract"
  bool operator==(const chord_degree&) const = default;
};

/// A chord as MusicXML's <harmony> has it: a kind-value and what is different.
struct chord_by_degrees {
  std::string_view kind;
  std::vector<chord_degree> degrees;  ///< ascending
};

/// The kind from which a chord differs least, and by what: 1 3 5 b7 b9 is "dominant" with an added
/// ninth lowered by 100 cents. A kind of the table with the same intervals has no degrees. Of
/// several the one with the fewest tones.
chord_by_degrees chord_as_degrees(const std::vector<interval>& intervals);

}  // namespace fermata
