#pragma once

#include "core/score/model/measure.hpp"

namespace fermata {

/// What a measure says of key, time and clef before its first note, or null.
attributes* attributes_at_start(measure& m);

/// A key or a metre that the first measure of a part only says at the beginning of a later voice
/// holds for all of them, and a clef for its staff. They are said before the first note.
void move_attributes_to_start(measure& first);

}  // namespace fermata
