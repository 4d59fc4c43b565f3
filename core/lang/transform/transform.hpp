#pragma once

#include "core/lang/transform/copying.hpp"
#include "core/lang/value/music.hpp"
#include "core/music/interval.hpp"
#include "core/music/key.hpp"
#include "core/result.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace fermata {

/// Music made from music. Marks stay where they make sense: what belongs to a note goes with it,
/// what is true of the old pitches only (displayed accidentals, strings, frets) goes away. Each can
/// be stopped on its way (`copying`), and answers why.

/// How pitches move: each to another, and keys with them by an interval where they do.
struct pitch_move {
  std::function<pitch(const pitch&)> of_pitch;
  /// Keys and chord symbols move by this. A key that would have more than seven accidentals is
  /// written enharmonically, and so are the notes and chord symbols in it: they move by the
  /// interval to the same sound that takes their key there.
  std::optional<interval> of_keys;
  /// What holds where the music says no key, before and behind: figures are read in it.
  key_signature around = {};
  /// `invert`: what shows pitches goes even where keys do not move.
  edit_operation operation = edit_operation::transpose;
  bool moves_by_steps = false;  ///< of the scale, which stays what it is
};
/// Items one after another, each moved: a key holds for those behind it, too. Figures of a bass
/// name the same tones above it as before (moved_figures.hpp). Error `misplaced` for figures that
/// have no bass note.
[[nodiscard]] result<std::vector<music_ptr>> moved(const std::vector<music_ptr>& items,
                                                   const pitch_move& move, copying& walk);

/// The first key signature inside, if any.
std::optional<key_signature> key_inside(const music& m);

/// Backwards: the last note first. Ties, beams and every line (slurs, hairpins, pedals, ...,
/// across barlines too) exchange their ends, crescendo and diminuendo their kinds; marks and grace
/// notes stay before the note they stood before. In measures every voice is turned for itself; in
/// parts and scores the measures, too, with key, time and clef where they are needed, repeat signs
/// around the same measures, breaks between the same two and the final barline at the end. Errors:
/// `misplaced` for endings and jumps, which have no reverse (repeat_order.hpp); those of measures
/// that are not valid.
[[nodiscard]] result<music_ptr> retrograde(const music_ptr& m, copying& walk);
/// Items one after another, backwards.
[[nodiscard]] result<std::vector<music_ptr>> retrograde(const std::vector<music_ptr>& items,
                                                        copying& walk);

/// Begins `steps` notes further on (backwards when negative); what was before comes last. Notes
/// that are tied count as one, marks go with their notes; key, time and clef at the beginning stay
/// there. In measures each voice is rotated, in parts and scores whole measures, with key, time and
/// clef where they are needed and barlines where they were. Lines that would end before they begin,
/// and ties between measures that part, go away. Errors: `misplaced` for endings and jumps among
/// what changes places; those of measures that are not valid.
[[nodiscard]] result<music_ptr> rotated(const music_ptr& m, std::int64_t steps, copying& walk);
/// Items one after another.
[[nodiscard]] result<std::vector<music_ptr>> rotated(const std::vector<music_ptr>& items,
                                                     std::int64_t steps, copying& walk);

/// All lengths of items one after another times `factor` (above zero), offsets of chord symbols and
/// directions with them. A length without a note value becomes tied notes, or, where it is no sum
/// of halves, a tuplet with its neighbours; both become what they were when the same factor is
/// taken back, as far as note values go (a maxima made longer is tied dotted maximas). Time
/// signatures are scaled with what they measure, also those that are not said: 4/4 in parts and
/// scores, `around` in measures by themselves, which stay without one when it is null. Bar checks
/// go away where no time signature holds. `produced` is told of items before they are made, and
/// stops them with an error; `dropped` is told of kept XML that names old note values. Error
/// `out_of_range` for what has no note value and for time signatures that there are not.
[[nodiscard]] result<std::vector<music_ptr>> augmented(
    const std::vector<music_ptr>& items, rational factor,
    const std::optional<time_signature>& around,
    const std::function<result<void>(std::size_t)>& produced,
    const std::function<void(std::string_view what)>& dropped);

/// A slur over everything: from the first note or chord to the last. In voices that go together
/// each has its own; where only some of the music is in several, the first goes on. Error
/// `out_of_range` when all sixteen numbers of slurs (MusicXML's number-level) are in use there.
[[nodiscard]] result<std::vector<music_ptr>> slurred(const std::vector<music_ptr>& items,
                                                     copying& walk);

}  // namespace fermata
