#pragma once

#include "core/score/model/draft.hpp"
#include "core/score/model/spanners.hpp"
#include "core/score/model/ties.hpp"
#include "core/score/model/walk.hpp"

#include <cstddef>
#include <functional>
#include <vector>

namespace fermata {

/// Repairs of the music around an edit.

/// Before items are removed: spanners that are about to lose one end lose the other too (ties,
/// slurs, hairpins, pedals, octave lines, brackets). Spanners that were already broken are left as
/// they are. `draft` still has every item of `before`, the original part, unchanged and at its old
/// position: all items that an edit removes from a part are handled in one call, since a second one
/// would look for ends that the first has removed. `removed` says whether an item in measures
/// [first, end) will be removed. Directions left empty are removed by `drop_empty_directions`
/// afterwards.
enum class tuplet_brackets { cut, keep };  ///< keep: `repair_tuplets` follows
void cut_lines(score_draft& draft, std::size_t p, const part& before, std::size_t first,
               std::size_t end,
               const std::function<bool(std::size_t measure, std::size_t item)>& removed,
               tuplet_brackets tuplets = tuplet_brackets::cut);
void drop_empty_directions(measure& m);

/// After items in measures [first, end) of `before` were changed, removed or overwritten, while the
/// measures kept their positions: spanners and tuplet brackets that were complete and have lost one
/// end lose the other. New items with one end only are kept, since the other end may follow.
void repair_lines(score_draft& draft, std::size_t p, const part& before, std::size_t first,
                  std::size_t end);

/// Removes one end of a note's tie, or ends of spanners; `ends` are positions in the draft.
void untie(score_draft& draft, std::size_t p, const note_place& at, span_end end);
void erase_ends(score_draft& draft, std::size_t p, std::vector<spanner_end_place> ends);

/// After measures [first, first + lost) of `before` became the measures [first, first + put) of the
/// draft: removes ties, slurs, hairpins and similar spanners that crossed an edge and no longer
/// find their other end, inside and outside. Those that still match are kept. Spanners that now
/// overlap one with the same number get another one (overlapping_spanners.hpp).
void repair_edges(score_draft& draft, std::size_t p, const part& before, std::size_t first,
                  std::size_t lost, std::size_t put);

/// After the note, chord or rest `item` of `before` was replaced: removes both ends of its ties
/// that now lead nowhere.
void repair_ties(score_draft& draft, std::size_t p, const part& before, std::size_t measure,
                 std::size_t item);

/// After measures changed: restores key, time, clef, staves and transposition before measure
/// `index` to `wanted`, by attributes in that measure where it does not specify them itself.
void keep_context(score_draft& draft, std::size_t p, std::size_t index, const part_state& wanted);

/// `a` without redundant key, time, clef, staves and transposition; those in `kept` are kept in any
/// case.
attributes without_what_holds(attributes a, const part_state& now, const attributes& kept = {});

/// Whether the measure changes anything that `keep_context` would restore.
bool changes_context(const measure& m);

}  // namespace fermata
