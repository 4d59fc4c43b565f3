#pragma once

#include "core/music/pitch.hpp"
#include "core/score/model/note.hpp"

#include <functional>

namespace fermata {

/// The written accidentals of a note whose pitch changed from `before` to `n.tone` by `move`:
/// - a cautionary accidental (cautionary, editorial, parentheses, bracket) becomes that of the new
///   pitch; any other is removed, since writers compute it;
/// - the accidental of an ornament belongs to its neighbour tone, which moves as well; it is
///   removed if there is no such neighbour any more, as after an inversion;
/// - an accidental above a note without an ornament (musica ficta) is that of the sounding note.
void move_accidentals(note& n, const pitch& before, const std::function<pitch(const pitch&)>& move);

}  // namespace fermata
