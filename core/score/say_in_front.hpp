#pragma once

#include "core/score/measure.hpp"

namespace fermata {

/// What a measure says of key, time and clef before its first note, or null.
attributes* said_in_front(measure& m);

/// A key or a metre that the first measure of a part only says at the beginning of a later voice
/// holds for all of them, and a clef for its staff. They are said before the first note.
void say_in_front(measure& first);

}  // namespace fermata
