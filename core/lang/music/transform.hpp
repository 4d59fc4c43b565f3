#pragma once

#include "core/lang/music.hpp"
#include "core/music/interval.hpp"
#include "core/music/key.hpp"
#include "core/result.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace fermata {

/// Music made from music. Marks stay where they make sense: what belongs to a note goes with it,
/// what is true of the old pitches only (displayed accidentals, strings, frets) goes away.

/// `m` with each leaf replaced by what `change` makes of it.
music_ptr mapped(const music_ptr& m,
                 const std::function<measure_content(const measure_content&)>& change);

/// How pitches move: each to another, and keys with them by an interval where they do.
struct pitch_move {
  std::function<pitch(const pitch&)> of_pitch;
  std::optional<interval> of_keys;  ///< keys and chord symbols move by this
};
music_ptr moved(const music_ptr& m, const pitch_move& move);

/// The first key signature inside, if any.
std::optional<key_signature> key_inside(const music& m);

/// Backwards: the last note first. Ties, beams and every line (slurs, hairpins, pedals, ...,
/// across barlines too) exchange their ends, crescendo and diminuendo their kinds; marks and grace
/// notes stay before the note they stood before. In measures every voice is turned for itself; in
/// parts and scores the measures, too, with key, time and clef where they are needed, repeat signs
/// around the same measures, breaks between the same two and the final barline at the end. Errors:
/// `misplaced` for endings and jumps, which have no reverse (repeat_order.hpp); those of measures
/// that are not valid.
[[nodiscard]] result<music_ptr> retrograde(const music_ptr& m);
/// Items one after another, backwards.
[[nodiscard]] result<std::vector<music_ptr>> retrograde(const std::vector<music_ptr>& items);

/// Begins `steps` notes further on (backwards when negative); what was before comes last. Notes
/// that are tied count as one, marks go with their notes; key, time and clef at the beginning stay
/// there. In measures each voice is rotated, in parts and scores whole measures, with key, time and
/// clef where they are needed and barlines where they were. Lines that would end before they begin,
/// and ties between measures that part, go away.
music_ptr rotated(const music_ptr& m, std::int64_t steps);
/// Items one after another.
std::vector<music_ptr> rotated(const std::vector<music_ptr>& items, std::int64_t steps);

/// All lengths times `factor` (above zero). Lengths without a note value become tied notes. Time
/// signatures are scaled with what they measure. Error `out_of_range` when one cannot be.
[[nodiscard]] result<music_ptr> augmented(const music_ptr& m, rational factor);

/// A slur over everything: from the first note or chord to the last. Error `out_of_range` when all
/// sixteen numbers of slurs (MusicXML's number-level) are in use there.
[[nodiscard]] result<std::vector<music_ptr>> slurred(const std::vector<music_ptr>& items);

}  // namespace fermata
