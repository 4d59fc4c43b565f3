#pragma once

#include "core/score/analysis/sounding.hpp"
#include "core/score/model/score.hpp"

#include <vector>

namespace fermata::midi {

/// How much later than written each of these notes of a part begins, as its chord is arpeggiated.
///
/// From the lowest note to the highest, or down where the sign says so; the first one on the beat,
/// each other a 64th later, all of them within half of the shortest note (our choice). Signs with
/// the same number in several chords at one time are one arpeggio (MusicXML, "arpeggiate"). A sign
/// on one note of a chord is for the whole chord. A non-arpeggiate bracket leaves the chord as it
/// is. `notes`: indices into `sounding`, by onset.
std::vector<quarters> arpeggio_delays(const part& p, const std::vector<sounding_note>& sounding,
                                      const std::vector<std::size_t>& notes);

}  // namespace fermata::midi
