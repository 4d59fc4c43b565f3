#pragma once

#include "core/score/model/score.hpp"

#include <cstddef>
#include <string>

namespace fermata {

/// How messages name what is in a score: "measure 3: an eighth too long for 4/4 after g4".

/// "measure 12"; without a number "measure at 3", counted from 1.
std::string measure_name(const measure& m, std::size_t index);

/// "Violin I", else "part P1".
std::string part_label(const part& p);

/// "measure 12", or "Violin I, measure 12" in a score of several parts. Good for indices beyond the
/// end too.
std::string place_name(const score& s, std::size_t part_index, std::size_t measure_index);

/// "an eighth", "a dotted half", "1/3 of a quarter", "5/4 quarters".
std::string length_in_words(quarters q);

/// "4/4" also where it is drawn as common time, "free time" without metre.
std::string metre_in_words(const time_signature& t);

/// "c4", "the chord c4 e4 g4", "the rest", "the percussion note".
std::string name_of(const chord_rest& x);

}  // namespace fermata
