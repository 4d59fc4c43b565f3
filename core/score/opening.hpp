#pragma once

#include "core/score/cursor.hpp"
#include "core/score/score.hpp"

#include <string>

namespace fermata {

/// What a part begins with that nobody has written.

/// Parts use ids P1, P2, ...; this is the first one that `s` does not have, beginning at its number
/// of parts plus one.
std::string free_part_id(const score& s);

/// The part that music gets which names none.
part default_part(const score& s, const score_defaults& defaults);

/// Key, time and clef of a first measure that says none itself. Metre and key of the other parts
/// come first: parts belong together.
attributes opening_attributes(const score& s, const score_defaults& defaults);

}  // namespace fermata
