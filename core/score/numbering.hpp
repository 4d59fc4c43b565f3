#pragma once

#include "core/score/score.hpp"

#include <cstddef>
#include <string>

namespace fermata {

/// Measure numbers are text, but most of them count. A measure that is not counted (implicit)
/// leaves the count alone.

/// The number of a measure put at `index` of a part: one more than the nearest counted measure
/// before it.
std::string next_measure_number(const part& p, std::size_t index);

/// The number as a count, if it is one: "12", not "X1" or "12a".
std::optional<int> counted_number(const measure& m);

}  // namespace fermata
