#pragma once

#include "core/lang/value/music.hpp"
#include "core/music/key.hpp"
#include "core/music/pitch.hpp"

#include <functional>
#include <optional>
#include <vector>

namespace fermata {

/// Figured bass after a change of pitch. Figures are counted from the bass and read in the key, as
/// in thorough_bass.hpp.

/// The bass note of all figures in consecutive music, in the order in which they are written: the
/// lowest simultaneous note of their part, over a rest the next one (figures are before their
/// note), at the end the last. Empty if there are no notes.
std::vector<std::optional<pitch>> basses_of_figures(const std::vector<music_ptr>& items);

/// Whether a figure has a sharp, flat or natural, or several of them.
bool has_signs(const figured_bass& b);

/// Figures whose bass moves from `bass` to `move(bass)`, and from key `before` to key `behind`. The
/// numbers stay. A tone with an accidental gets the one that it needs now: a natural if its letter
/// is natural, otherwise the sign for its alteration relative to the key. A tone without one gets
/// it if the new key has another tone there. Strokes and plus signs raise the tone in any key: they
/// stay.
void move_figures(figured_bass& b, const pitch& bass,
                  const std::function<pitch(const pitch&)>& move, const key_signature& before,
                  const key_signature& behind);

}  // namespace fermata
