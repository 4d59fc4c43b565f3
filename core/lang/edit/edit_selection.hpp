#pragma once

#include "core/lang/evaluation/call.hpp"
#include "core/score/model/selector.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace fermata {

/// Shared by the forms that edit: what their `where` selects in the session's score, and their
/// results. Edits change the score of the evaluation at once, so that the next form of the text
/// sees them; the session gets all of it if the whole text succeeds, or nothing.

/// Measures of a part that an edit replaced.
struct measures_moved {
  std::size_t part, first, removed, added;
};

/// Makes `next` the current score; returns a summary of the change. The cursor keeps its place in
/// the music: after all of it, or in its measure, even if `changes` (from the last to the first)
/// moved that.
result<value> edited_answer(call& c, const score_ptr& next,
                            const std::vector<measures_moved>& changes = {});
/// The same after whole parts, ascending, were deleted.
result<value> edited_answer(call& c, const score_ptr& next,
                            const std::vector<std::size_t>& parts_gone);

/// Error for a beat outside a measure in time `t` that lasts `held`; beat 5 of 4/4 is its end.
std::optional<std::string> no_such_beat(rational beat, const time_signature& t, quarters held);

/// The argument `where` of the call. `fault` is an error found later by a predicate in it.
result<selector> selector_in(call& c, error& fault);
result<std::vector<item_location>> items_in(call& c);
result<std::vector<measure_location>> measures_in(call& c);
result<bool> selects_whole_measures(call& c);

/// The items to be removed. Key, time, clef, barlines and layout are included only if a function
/// selects them or nothing else is selected, not because a note starts at their position.
result<std::vector<item_location>> items_to_take(call& c);

/// The items of `taken` (from `items_to_take`: a selecting function is called once with each item)
/// that `line` replaces: notes replace notes, marks replace marks, so that words and dynamics over
/// a passage are kept when its notes are replaced. Items selected by a function are all replaced.
result<std::vector<item_location>> items_to_replace(call& c,
                                                    const std::vector<item_location>& taken,
                                                    const std::vector<measure_content>& line);

/// The items that a function changes: notes and rests if there are any, without key and words next
/// to them. Items selected by a function are all included.
result<std::vector<item_location>> items_to_edit(call& c);

time_signature time_at(const score& s, const measure_location& at);
time_signature time_before(const score& s, const measure_location& at);

/// Adds the position of the form to errors of the score's own operations.
template <class T>
result<T> placed(call& c, result<T> r) {
  if (!r)
    for (auto& d : r.error().diagnostics)
      if (!d.span) d.span = c.span();
  return r;
}

}  // namespace fermata
