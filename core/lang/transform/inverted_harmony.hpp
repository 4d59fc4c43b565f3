#pragma once

#include "core/lang/transform/copying.hpp"
#include "core/lang/value/music.hpp"
#include "core/music/pitch.hpp"

#include <functional>

namespace fermata {

/// `m` with its chord symbols inverted like its notes: C major about C is F minor, C7 is Dm7b5. The
/// bass is the lowest tone of the inverted chord in close position, so that inverting twice
/// restores the symbol: C/E (E G C) becomes Fm/C (C F Ab). Symbols whose inversion has no name, and
/// chords given in other ways (scale functions, degrees of its own, a foreign bass), are removed.
/// So is figured bass: its lowest tone would be the highest.
music_ptr with_mirrored_harmonies(const music_ptr& m,
                                  const std::function<pitch(const pitch&)>& mirror, copying& walk);

/// `m` with its chord symbols moved along the scale like its notes: two steps above C in C major is
/// Em, C/D becomes Em/F. A symbol whose moved tones have no common name, or with degrees of its
/// own, keeps its kind on the moved root: E7 a step above is F7. Numerals and functions are
/// unchanged.
music_ptr with_stepped_harmonies(const music_ptr& m, const std::function<pitch(const pitch&)>& move,
                                 copying& walk);

}  // namespace fermata
