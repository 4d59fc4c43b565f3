#pragma once

#include "core/result.hpp"
#include "core/score/model/cursor.hpp"
#include "core/score/model/selector.hpp"

#include <functional>
#include <vector>

namespace fermata {

/// Pure edits: they return the next score or an error, without side effects. Only the measures that
/// change are copied. Everything an edit changes is checked before it is returned: no voice
/// overfull (`overfull_measure`), no two notes of a voice at once, tuplets complete.

/// The score after an edit, and the cursor after the added music.
struct edited {
  score_ptr score;
  score_cursor cursor;
};

// --- at the end ----------------------------------------------------------------------------------

/// Adds contents one after another to the cursor's voice.
///
/// - Items with a duration move the cursor; others are placed before the next note.
/// - When the measure is full and there is more to add, the next measure is opened, with the
///   current time signature; until then the cursor stays at the end of the full one. Items that end
///   something (a right barline, the end of a hairpin, "fine") stay in the full measure.
/// - A note or chord that crosses the barline is split and tied, spelt so that the time signature
///   shows (metric_spelling.hpp); a rest is split without a tie. Slurs start on the first and end
///   on the last piece; a fermata or breath goes to the last, other marks and the lyrics to the
///   first.
/// - A tuplet is divided there as well, a note of it inside the ratio; otherwise
///   `overfull_measure`.
/// - Rests are overwritten. Overwriting a note is an error, `misplaced`.
/// - A missing part or first measure is made from `defaults` (time signature and key of the other
///   parts take precedence over the defaults).
/// - A time signature is only allowed at the start of a measure: `misplaced` elsewhere.
/// - A whole-measure rest (`rest::whole_measure`, any length) fills a measure.
///
/// Voices are the cursor's; staves too, unless `staff_given` (direction: `staff`) specifies
/// another. Further error: `no_such_target` for a cursor beyond the end.
[[nodiscard]] result<edited> append_content(const score_ptr& s, const score_cursor& at,
                                            const score_defaults& defaults,
                                            const std::vector<measure_content>& line);

/// How strictly whole measures from outside are checked.
enum class measure_check {
  metre,  ///< longer than its time signature is an error
  free    ///< anything that does not overlap, as in imported scores
};

/// Adds measures after the last one of the cursor's part. An empty `number` continues the count. A
/// last measure without notes (with only a key, for example) is filled first.
[[nodiscard]] result<edited> append_measures(const score_ptr& s, const score_cursor& at,
                                             const score_defaults& defaults,
                                             std::vector<measure> measures,
                                             measure_check check = measure_check::metre);

/// Adds a part below the others. An empty id becomes the next free "P3"; a duplicate id is an
/// error, `invalid_score`. Its measures are taken as they are, but must not be overfull unless
/// `free`.
[[nodiscard]] result<edited> append_part(const score_ptr& s, part p,
                                         measure_check check = measure_check::metre);

/// Where music continues in a part: after the last note of the voice in its last measure.
[[nodiscard]] score_cursor end_of(const score& s, std::size_t part_index,
                                  const std::string& voice = "1", std::uint8_t staff = 1);

/// Where a voice continues by itself: after its last note or rest, in whichever measure that is; at
/// the start of the part if it has none.
[[nodiscard]] score_cursor end_of_voice(const score& s, std::size_t part_index,
                                        const std::string& voice, std::uint8_t staff = 1);

/// The voice of a staff near a measure: the first that notation programs give it (1, 5, 9, ...),
/// unless another one is only on this staff, there or in the previous measure.
[[nodiscard]] std::string voice_of_staff(const part& p, std::size_t measure, int staff);

// --- whole measures ------------------------------------------------------------------------------

/// Inserts `count` measures of rest before measure `index` (from 0; the number of measures: at the
/// end) in every part. Later measures are renumbered.
[[nodiscard]] result<score_ptr> insert_measures(const score_ptr& s, std::size_t index,
                                                std::size_t count);

/// Inserts the given measures in one part, and the same number of measures of rest in the others.
[[nodiscard]] result<score_ptr> insert_measures(const score_ptr& s, std::size_t part_index,
                                                std::size_t index, std::vector<measure> measures);

/// A measure of rest, with a rest on each staff, as long as the measure of another part that it
/// accompanies and with its number.
[[nodiscard]] measure rest_beside(const part& p, std::size_t index, const measure& lead);

/// Deletes measures. Key, time, clef and transposition of what follows stay in effect; ties, slurs
/// and other spanners that lose one end lose the other; repeat signs and endings enclose what
/// remains of their measures (repair_repeats.hpp); later measures are renumbered.
[[nodiscard]] result<score_ptr> delete_measures(const score_ptr& s,
                                                const std::vector<measure_location>& which);

enum class measures_made_of { anything, the_old };
/// Replaces measures [first, first + count) of a part by `measures`. If their number differs, the
/// other parts are not changed, so the caller decides what happens to these. Measures made from the
/// old ones must have the kept XML that is to stay.
[[nodiscard]] result<score_ptr> replace_measures(
    const score_ptr& s, std::size_t part_index, std::size_t first, std::size_t count,
    std::vector<measure> measures, measures_made_of made_of = measures_made_of::anything);

// --- inside measures -----------------------------------------------------------------------------

/// Removes items: notes and chords become rests, everything else is removed. Ties and slurs that
/// lose one end lose the other.
[[nodiscard]] result<score_ptr> delete_items(const score_ptr& s,
                                             const std::vector<item_location>& which);

/// Puts `line` in place of the selected notes and rests of one voice: from the start of the first
/// to at most the end of the last (`overfull_measure` if it is longer; the remainder is filled with
/// rests). Voices keep their order. If `line` has only marks, they replace marks. Error `misplaced`
/// if the selection covers several parts or voices, or has unselected notes of the voice inside it.
[[nodiscard]] result<score_ptr> replace_items(const score_ptr& s,
                                              const std::vector<item_location>& which,
                                              const std::vector<measure_content>& line);

/// Replaces each selected item by the result of `change`, in place. A result of another length must
/// fit; a shorter one leaves rests. In a tuplet, a plain note value is one of the tuplet, and so
/// are the rests. Error `misplaced`: a note would overlap something else.
[[nodiscard]] result<score_ptr> edit_items(
    const score_ptr& s, const std::vector<item_location>& which,
    const std::function<result<measure_content>(const measure_content&)>& change);

}  // namespace fermata
