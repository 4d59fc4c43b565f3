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

/// Transformations of music. Marks are kept where they make sense: what belongs to a note moves
/// with it, and what applies only to the old pitches (displayed accidentals, strings, frets) is
/// removed. Each can be stopped (`copying`) and then returns the error.

/// A mapping of pitches, and the interval for keys if there is one.
struct pitch_move {
  std::function<pitch(const pitch&)> of_pitch;
  /// The interval for keys and chord symbols. A key that would have more than seven accidentals is
  /// written enharmonically, and so are the notes and chord symbols in it: they move by the
  /// interval to the same sound in that key.
  std::optional<interval> of_keys;
  /// The keys before and after if the music has none, for reading figures.
  key_signature around = {};
  /// `invert`: diagrams of pitches are dropped even though keys do not move.
  edit_operation operation = edit_operation::transpose;
  bool moves_by_steps = false;  ///< of the scale, which does not change
};
/// Consecutive items, each moved: a key also applies to later ones. Figured bass keeps the same
/// tones above the bass (moved_figures.hpp). Error `misplaced`: figures without a bass note.
[[nodiscard]] result<std::vector<music_ptr>> moved(const std::vector<music_ptr>& items,
                                                   const pitch_move& move, copying& walk);

/// The first key signature inside, if any.
std::optional<key_signature> key_inside(const music& m);

/// Reversed: the last note first. Ties, beams and all spanners (slurs, hairpins, pedals, ...,
/// across barlines too) exchange their ends, crescendo and diminuendo their kinds; marks and grace
/// notes stay with their note. In measures every voice is reversed separately; in parts and scores
/// also the measures, with key, time and clef where they are needed, repeat signs around the same
/// measures, breaks between the same two and the final barline at the end. Errors: `misplaced` for
/// endings and jumps, which have no reverse (repeat_order.hpp); those of invalid measures.
[[nodiscard]] result<music_ptr> retrograde(const music_ptr& m, copying& walk);
/// Consecutive items, reversed.
[[nodiscard]] result<std::vector<music_ptr>> retrograde(const std::vector<music_ptr>& items,
                                                        copying& walk);

/// Starts `steps` notes later (earlier if negative); the first ones move to the end. Tied notes
/// count as one, marks move with their notes; initial key, time and clef stay. In measures each
/// voice is rotated, in parts and scores whole measures, with key, time and clef where they are
/// needed and barlines where they were. Spanners that would end before they start, and ties between
/// measures that are separated, are removed. Errors: `misplaced` for endings and jumps in the
/// rotated music; those of invalid measures.
[[nodiscard]] result<music_ptr> rotated(const music_ptr& m, std::int64_t steps, copying& walk);
/// Consecutive items.
[[nodiscard]] result<std::vector<music_ptr>> rotated(const std::vector<music_ptr>& items,
                                                     std::int64_t steps, copying& walk);

/// Multiplies all lengths of consecutive items by `factor` (above zero), including offsets of chord
/// symbols and directions. A length without a note value becomes tied notes or, if it is not a sum
/// of binary values, a tuplet with its neighbours; the inverse factor restores both, as far as note
/// values exist (an augmented maxima is tied dotted maximas). Time signatures are scaled with their
/// music, including implied ones: 4/4 in parts and scores, `around` in measures on their own, which
/// stay without one if it is null. Bar checks without a time signature are removed. `produced` is
/// called before items are made, and its error stops them; `dropped` is called for kept XML that
/// shows old note values. Error `out_of_range`: a length without a note value, or an impossible
/// time signature.
[[nodiscard]] result<std::vector<music_ptr>> augmented(
    const std::vector<music_ptr>& items, rational factor,
    const std::optional<time_signature>& around,
    const std::function<result<void>(std::size_t)>& produced,
    const std::function<void(std::string_view what)>& dropped);

/// A slur over everything: from the first note or chord to the last. Parallel voices each have
/// their own; if only some of the music is in several voices, the first continues. Error
/// `out_of_range`: all sixteen numbers of slurs (MusicXML's number-level) are in use there.
[[nodiscard]] result<std::vector<music_ptr>> slurred(const std::vector<music_ptr>& items,
                                                     copying& walk);

}  // namespace fermata
