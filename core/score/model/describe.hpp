#pragma once

#include "core/score/model/score.hpp"

#include <string>

namespace fermata {

/// A short description of an item of a score, for diffs, lists and messages: "<c4 e4>:q staccato",
/// "r:h", "time 3/4", "f", "words \"dolce\"", "quarter = 120", "repeat backward". Layout is
/// omitted, so two different items may have the same description.
std::string describe(const measure_content& c);

/// "c4:q", "<c4 e4 g4>:h.", "r:8", "grace b4": pitches and length only.
std::string describe_rhythm(const chord_rest& x);

}  // namespace fermata
