#pragma once

#include "core/lang/value/value.hpp"

#include <optional>

namespace fermata {

/// The first pitch in a value, a list or music that nobody could write down again: outside of the
/// octaves -1 to 9, or altered by more than an octave. Transformations may come to such pitches.
std::optional<pitch> unwritable_pitch(const value& v);
std::optional<pitch> unwritable_pitch(const music& m);

}  // namespace fermata
