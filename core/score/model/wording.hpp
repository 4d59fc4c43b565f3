#pragma once

#include "core/score/model/score.hpp"

#include <cstddef>
#include <string>

namespace fermata {

/// Names of score contents in messages: "measure 3: an eighth too long for 4/4 after g4".

/// "measure 12"; without a number "measure at 3", counted from 1.
std::string measure_name(const measure& m, std::size_t index);

/// "Violin I", else "part P1".
std::string part_label(const part& p);

/// "measure 12", or "Violin I, measure 12" in a score with several parts. Also for indices beyond
/// the end.
std::string place_name(const score& s, std::size_t part_index, std::size_t measure_index);

/// "an eighth", "a dotted half", "1/3 of a quarter", "5/4 quarters".
std::string length_in_words(quarters q);

/// "4/4" even if drawn as common time, "free time" without a time signature.
std::string metre_in_words(const time_signature& t);

/// "c4", "the chord c4 e4 g4", "the rest", "the percussion note".
std::string name_of(const chord_rest& x);

}  // namespace fermata
