#pragma once

#include "core/result.hpp"
#include "core/score/model/cursor.hpp"
#include "core/score/model/selector.hpp"

#include <functional>
#include <vector>

namespace fermata {

/// Pure edits: a score goes in, the next one comes out, or an error and nothing has happened. Only
/// the measures that change are copied. Whatever an edit touches is checked before it is returned:
/// no voice overfull (`overfull_measure`), no two notes of a voice at once, tuplets whole.

/// The score after an edit and the cursor behind what was added.
struct edited {
  score_ptr score;
  score_cursor cursor;
};

// --- at the end ----------------------------------------------------------------------------------

/// Adds contents one after another to the cursor's voice.
///
/// - What takes time moves the cursor; everything else stands where it is met, before the next
/// note.
/// - When the measure is full the next one opens, with the time signature in force, as soon as
/// there
///   is something to put into it; the cursor rests at the end of the full one until then. Things
///   that end something (a right barline, the end of a hairpin, "fine") stay in the full measure.
/// - A note or chord that crosses the barline is split and tied, spelt so that the metre shows
///   (metric_spelling.hpp); a rest is split without a tie. Slurs start on the first and end on the
///   last piece; a fermata or breath goes to the last, other marks and the lyrics to the first.
/// - A tuplet is divided there, too, a note of it inside the ratio; else `overfull_measure`.
/// - Rests in the way are written over. A note in the way is an error, `misplaced`.
/// - A part or a first measure that is missing is made from `defaults` (metre and key of the other
///   parts come before those of the defaults).
/// - A time signature stands at the beginning of a measure only: `misplaced` elsewhere.
/// - A whole-measure rest (`rest::whole_measure`, any length) fills a measure.
/// Voices are the cursor's, staves too unless `staff_given` (direction: `staff`) says another.
/// Errors also: `no_such_target` for a cursor beyond the end.
[[nodiscard]] result<edited> append_content(const score_ptr& s, const score_cursor& at,
                                            const score_defaults& defaults,
                                            const std::vector<measure_content>& line);

/// How strictly whole measures are checked that come from outside.
enum class measure_check {
  metre,  ///< longer than the time signature is an error
  free    ///< anything that does not overlap, as in imported scores
};

/// Adds measures after the last one of the cursor's part. An empty `number` continues the count. A
/// last measure without notes (one that only got a key, say) is filled instead of left behind.
[[nodiscard]] result<edited> append_measures(const score_ptr& s, const score_cursor& at,
                                             const score_defaults& defaults,
                                             std::vector<measure> measures,
                                             measure_check check = measure_check::metre);

/// Adds a part below the others. An empty id becomes the next free "P3"; an id that is taken is an
/// error, `invalid_score`. Its measures are taken as they are, but not overfull unless `free`.
[[nodiscard]] result<edited> append_part(const score_ptr& s, part p,
                                         measure_check check = measure_check::metre);

/// Where music goes on in a part: behind the last note of the voice in its last measure.
[[nodiscard]] score_cursor end_of(const score& s, std::size_t part_index,
                                  const std::string& voice = "1", std::uint8_t staff = 1);

/// Where a voice goes on by itself: behind its last note or rest, in whichever measure that is; at
/// the beginning of the part when it has none.
[[nodiscard]] score_cursor behind_voice(const score& s, std::size_t part_index,
                                        const std::string& voice, std::uint8_t staff = 1);

/// The voice that a staff is written in near a measure: the first that notation programs give it
/// (1, 5, 9, ...), unless another one plays on this staff only, there or in the measure before.
[[nodiscard]] std::string voice_of_staff(const part& p, std::size_t measure, int staff);

// --- whole measures ------------------------------------------------------------------------------

/// Inserts `count` measures of rest before measure `index` (from 0; the number of measures: at the
/// end) in every part. Later measures are numbered on.
[[nodiscard]] result<score_ptr> insert_measures(const score_ptr& s, std::size_t index,
                                                std::size_t count);

/// Inserts the given measures in one part, and as many measures of rest in the others so that the
/// parts stay together.
[[nodiscard]] result<score_ptr> insert_measures(const score_ptr& s, std::size_t part_index,
                                                std::size_t index, std::vector<measure> measures);

/// A measure of rest for a place in a part, with a rest on each staff, as long as the measure of
/// another part that it accompanies and with its number.
[[nodiscard]] measure rest_beside(const part& p, std::size_t index, const measure& lead);

/// Deletes measures. Key, time, clef and transposition that hold for what follows stay in force;
/// ties, slurs and lines that lose one end lose the other; repeat signs and endings enclose what
/// stays of what they enclosed (repair_repeats.hpp); later measures are numbered on.
[[nodiscard]] result<score_ptr> delete_measures(const score_ptr& s,
                                                const std::vector<measure_location>& which);

enum class measures_made_of { anything, the_old };
/// Puts `measures` in the place of measures [first, first + count) of a part. With another number
/// of them the other parts are not changed, so the caller decides what becomes of those.
/// Measures made of the old ones have the kept XML that is to stay.
[[nodiscard]] result<score_ptr> replace_measures(
    const score_ptr& s, std::size_t part_index, std::size_t first, std::size_t count,
    std::vector<measure> measures, measures_made_of made_of = measures_made_of::anything);

// --- inside measures -----------------------------------------------------------------------------

/// Takes items away: notes and chords become rests, everything else goes. Ties and slurs that lose
/// one end lose the other.
[[nodiscard]] result<score_ptr> delete_items(const score_ptr& s,
                                             const std::vector<item_location>& which);

/// Puts `line` where the selected notes and rests of one voice were: from the first of them on, no
/// further than the end of the last (`overfull_measure` if it is longer; rests fill what is left).
/// Voices keep their order. Marks in `line` alone take the place of marks.
/// Errors: `misplaced` when the selection spans several parts or voices, or has unselected notes of
/// the voice inside it.
[[nodiscard]] result<score_ptr> replace_items(const score_ptr& s,
                                              const std::vector<item_location>& which,
                                              const std::vector<measure_content>& line);

/// Replaces each selected item by what `change` makes of it, in place. A result of another length
/// must still fit; a shorter one leaves rests. In a tuplet, a plain note value is one of the
/// tuplet, and so are the rests. Error `misplaced`: a note would stand where something else is.
[[nodiscard]] result<score_ptr> edit_items(
    const score_ptr& s, const std::vector<item_location>& which,
    const std::function<result<measure_content>(const measure_content&)>& change);

}  // namespace fermata
