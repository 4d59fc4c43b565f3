#pragma once

#include "core/lang/value/value.hpp"

#include <optional>

namespace fermata {

/// The first pitch in a value, a list or music that cannot be written: outside of the octaves -1 to
/// 9, or altered by more than an octave. Transformations may produce such pitches.
std::optional<pitch> unwritable_pitch(const value& v);
std::optional<pitch> unwritable_pitch(const music& m);

}  // namespace fermata
