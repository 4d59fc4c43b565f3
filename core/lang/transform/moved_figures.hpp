#pragma once

#include "core/lang/value/music.hpp"
#include "core/music/key.hpp"
#include "core/music/pitch.hpp"

#include <functional>
#include <optional>
#include <vector>

namespace fermata {

/// What becomes of the figures of a bass when it is moved. They are counted from the bass and read
/// in the key, as in thorough_bass.hpp.

/// The bass note of all figures in a row of music, in the order in which they are written: the
/// lowest that sounds with them in their part, over a rest the one behind it (figures stand before
/// their note), at the end the last. Nothing where there are no notes.
std::vector<std::optional<pitch>> basses_of_figures(const std::vector<music_ptr>& items);

/// Whether a figure has a sharp, flat or natural, or several of them.
bool has_signs(const figured_bass& b);

/// Figures whose bass goes from `bass` to `move(bass)`, and from key `before` to key `behind`. The
/// numbers stay. A tone that had a sign has the one that it needs now: a natural where its letter
/// is to have none, else the sign for as much as it is raised or lowered against the key. One
/// without a sign gets it where the new key has another tone there. Strokes and plus signs raise,
/// whatever the key: they stay.
void move_figures(figured_bass& b, const pitch& bass,
                  const std::function<pitch(const pitch&)>& move, const key_signature& before,
                  const key_signature& behind);

}  // namespace fermata
