#pragma once

#include "core/lang/evaluation/call.hpp"
#include "core/score/model/selector.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace fermata {

/// What the forms that edit have in common: what their `where` selects in the session's score, and
/// the answer they give. Edits change the score of the evaluation at once, so that the next form of
/// the text sees them; the session gets all of it when the whole text has succeeded, or nothing.

/// Measures of a part that an edit took away and put there.
struct measures_moved {
  std::size_t part, first, removed, added;
};

/// Takes the next score over; answers what changed, in words. The cursor stays where it was in the
/// music: behind all of it, or in its measure, wherever `changes` (from the last to the first) have
/// moved that.
result<value> edited_answer(call& c, const score_ptr& next,
                            const std::vector<measures_moved>& changes = {});
/// The same after whole parts, ascending, have gone.
result<value> edited_answer(call& c, const score_ptr& next,
                            const std::vector<std::size_t>& parts_gone);

/// Why a beat is none of a measure in time `t` that holds `held`; beat 5 of 4/4 is its end.
std::optional<std::string> no_such_beat(rational beat, const time_signature& t, quarters held);

/// The argument `where` of the call. `fault` is what a predicate in it found wrong later on.
result<selector> selector_in(call& c, error& fault);
result<std::vector<item_location>> items_in(call& c);
result<std::vector<measure_location>> measures_in(call& c);
result<bool> selects_whole_measures(call& c);

/// The items that are taken away. Key, time, clef, barlines and layout go when a function picks
/// them or when nothing else is selected, not because a note begins where they stand.
result<std::vector<item_location>> items_to_take(call& c);

/// The items of `taken` (what `items_to_take` found: a function that selects is called once with
/// each item) that `line` takes the place of: notes that of notes, marks that of marks, so that the
/// words and dynamics over a passage stay when its notes are replaced. What a function picks is
/// meant as it is.
result<std::vector<item_location>> items_to_replace(call& c,
                                                    const std::vector<item_location>& taken,
                                                    const std::vector<measure_content>& line);

/// The items that a function changes: notes and rests if there are any, the key and the words
/// beside them stay. What a function picks is meant as it is.
result<std::vector<item_location>> items_to_edit(call& c);

time_signature time_at(const score& s, const measure_location& at);
time_signature time_before(const score& s, const measure_location& at);

/// Errors of the score's own operations get the place of the form.
template <class T>
result<T> placed(call& c, result<T> r) {
  if (!r)
    for (auto& d : r.error().diagnostics)
      if (!d.span) d.span = c.span();
  return r;
}

}  // namespace fermata
