#pragma once

#include "core/music/pitch.hpp"
#include "core/score/model/note.hpp"

#include <functional>
#include <optional>
#include <string_view>

namespace fermata {

/// The alteration in cents that an accidental of MusicXML names ("flat-flat": -200), and the other
/// way round; nothing where there is none.
std::optional<int> cents_of_accidental(std::string_view name);
std::string_view accidental_of(int cents);

/// The signs that are written at a note whose pitch has gone from `before` to `n.tone` by `move`:
///   - a sign beside the note that only reminds (cautionary, editorial, parentheses, bracket)
///   becomes
///     that of the new pitch; any other goes away, since whoever writes the score knows it;
///   - the sign over or under an ornament is that of its neighbour tone, which moves as well; it
///   goes
///     away where the neighbour is none any more, as in the mirror;
///   - a sign above a note without an ornament (musica ficta) is that of the note as it is to
///   sound.
void move_accidentals(note& n, const pitch& before, const std::function<pitch(const pitch&)>& move);

}  // namespace fermata
