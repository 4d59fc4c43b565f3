#pragma once

#include "core/score/model/measure.hpp"

namespace fermata {

/// Key, time and clef of a measure before its first note, or null.
attributes* attributes_at_start(measure& m);

/// Moves a key or time signature that the first measure of a part has only at the start of a later
/// voice before the first note, since it applies to all voices; likewise a clef, for its staff.
void move_attributes_to_start(measure& first);

}  // namespace fermata
