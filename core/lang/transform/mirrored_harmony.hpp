#pragma once

#include "core/lang/transform/copying.hpp"
#include "core/lang/value/music.hpp"
#include "core/music/pitch.hpp"

#include <functional>

namespace fermata {

/// `m` with its chord symbols mirrored as its notes are: C major about C is F minor, C7 is Dm7b5.
/// The bass is the lowest tone of the mirrored chord in close position, so that mirroring twice
/// gives the symbol again: C/E (E G C) becomes Fm/C (C F Ab). Symbols whose mirror has no name of
/// its own, and what says a chord in other ways (scale functions, degrees of its own, a foreign
/// bass), go away. So do figures of a bass: what was the lowest tone is the highest.
music_ptr with_mirrored_harmonies(const music_ptr& m,
                                  const std::function<pitch(const pitch&)>& mirror, copying& walk);

/// `m` with its chord symbols moved along the scale as its notes are: two steps above C in C major
/// is Em, C/D becomes Em/F. A symbol whose moved tones have no name together, or that says a chord
/// in its own degrees, keeps its kind over the moved root: E7 a step above is F7. Numerals and
/// functions stay.
music_ptr with_stepped_harmonies(const music_ptr& m, const std::function<pitch(const pitch&)>& move,
                                 copying& walk);

}  // namespace fermata
