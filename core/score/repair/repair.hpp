#pragma once

#include "core/score/model/draft.hpp"
#include "core/score/model/lines.hpp"
#include "core/score/model/ties.hpp"
#include "core/score/model/walk.hpp"

#include <cstddef>
#include <functional>
#include <vector>

namespace fermata {

/// What an edit owes to the music around it.

/// Before items are taken away: lines that are about to lose one end lose the other too (ties,
/// slurs, hairpins, pedals, octave lines, brackets). Lines that were already broken stay as they
/// are. `draft` still has every item of `before`, the part as it was, at its old place and with all
/// that it carries: of everything that an edit takes from a part the lines are cut in one call, as
/// a second one would look for ends where the first has taken some. `removed` says of an item in
/// measures [first, end) whether it goes. Directions left empty are removed by
/// `drop_empty_directions` once the items are gone.
enum class tuplet_brackets { cut, keep };  ///< keep: `repair_tuplets` follows
void cut_lines(score_draft& draft, std::size_t p, const part& before, std::size_t first,
               std::size_t end,
               const std::function<bool(std::size_t measure, std::size_t item)>& removed,
               tuplet_brackets tuplets = tuplet_brackets::cut);
void drop_empty_directions(measure& m);

/// After items in measures [first, end) of `before` were changed, taken or written over, while the
/// measures kept their places: lines and tuplet brackets that were whole and have lost one end lose
/// the other. What is written anew with one end only stays, the other end may come later.
void repair_lines(score_draft& draft, std::size_t p, const part& before, std::size_t first,
                  std::size_t end);

/// Takes one end of a note's tie away, or ends of lines; `ends` are as they stand in the draft.
void untie(score_draft& draft, std::size_t p, const note_place& at, span_end end);
void erase_ends(score_draft& draft, std::size_t p, std::vector<line_end_place> ends);

/// After measures [first, first + lost) of `before` became the measures [first, first + put) of the
/// draft: ties, slurs, hairpins and their like that crossed an edge and find their other end there
/// no more are taken away, inside and outside. Those that still meet stay. Lines that came under a
/// line of the same number get another one (overlapping_lines.hpp).
void repair_edges(score_draft& draft, std::size_t p, const part& before, std::size_t first,
                  std::size_t lost, std::size_t put);

/// After the note, chord or rest `item` of `before` became something else in its place: its ties
/// that lead nowhere now are taken away at both ends.
void repair_ties(score_draft& draft, std::size_t p, const part& before, std::size_t measure,
                 std::size_t item);

/// After measures changed: key, time, clef, staves and transposition before measure `index` are
/// again what `wanted` says, by attributes in that measure where it does not set them itself.
void keep_context(score_draft& draft, std::size_t p, std::size_t index, const part_state& wanted);

/// `a` without the key, time, clef, staves and transposition that hold already; what `kept` says
/// stays all the same.
attributes without_what_holds(attributes a, const part_state& now, const attributes& kept = {});

/// Whether the measure changes anything that `keep_context` would restore.
bool changes_context(const measure& m);

}  // namespace fermata
