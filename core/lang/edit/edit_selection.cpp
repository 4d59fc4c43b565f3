#include "core/lang/edit/edit_selection.hpp"

#include "core/lang/edit/selector_value.hpp"
#include "core/lang/evaluation/evaluation_state.hpp"
#include "core/score/edit/edit.hpp"
#include "core/score/model/delta.hpp"
#include "core/score/model/walk.hpp"
#include "core/score/repair/repair_kept.hpp"

#include <algorithm>

namespace fermata {

namespace {

/// What music stands on: it stays when the notes on it go.
bool is_ground(const measure_content& x) {
  return std::holds_alternative<attributes>(x) || std::holds_alternative<barline>(x) ||
         std::holds_alternative<print_layout>(x);
}

/// What changed, in words; the next score is the session's.
result<value> answer(call& c, const score_ptr& next, const measure_moves& moves = {}) {
  auto& state = c.state();
  auto delta = diff_snapshots(state.score, next, moves);
  auto repaired = with_kept_pairs_repaired(state.score, next, delta, state.dropped);
  if (repaired != next) delta = diff_snapshots(state.score, repaired, moves);
  state.score = std::move(repaired);
  auto made = moves_of(delta);
  state.moved.insert(state.moved.end(), made.begin(), made.end());
  return value::string(to_string(summarize(delta)));
}

}  // namespace

result<value> edited_answer(call& c, const score_ptr& next,
                            const std::vector<measures_moved>& changes) {
  auto& at = c.state().env.cursor;
  const auto& before = *c.state().score;
  measure_moves moves;
  for (const auto& x : changes)
    moves.push_back({before.parts[x.part]->id, x.first, x.removed, x.added});
  if (at.part >= next->parts.size() || at.part >= before.parts.size()) {
    at = end_of(*next, next->parts.empty() ? 0 : next->parts.size() - 1);
    return answer(c, next, moves);
  }
  const auto& measures = next->parts[at.part]->measures;
  if (at.measure == before.parts[at.part]->measures.size() && at.position == measure_position{}) {
    at.measure = measures.size();
    return answer(c, next, moves);
  }
  auto behind_all = at == end_of(before, at.part, at.voice, at.staff);
  for (const auto& x : changes) {
    if (x.part != at.part || at.measure < x.first) continue;
    if (at.measure >= x.first + x.removed) {
      at.measure = at.measure - x.removed + x.added;
    } else {
      // Its measure is another one now.
      at.measure = x.first;
      at.position = {};
    }
  }
  if (behind_all || at.measure >= measures.size()) at = end_of(*next, at.part, at.voice, at.staff);
  return answer(c, next, moves);
}

result<value> edited_answer(call& c, const score_ptr& next,
                            const std::vector<std::size_t>& parts_gone) {
  auto& at = c.state().env.cursor;
  auto own = std::find(parts_gone.begin(), parts_gone.end(), at.part);
  auto place =
      at.part - static_cast<std::size_t>(std::count_if(parts_gone.begin(), parts_gone.end(),
                                                       [&](std::size_t p) { return p < at.part; }));
  if (own == parts_gone.end())
    at.part = place;
  else
    at = end_of(*next, next->parts.empty() ? 0 : std::min(place, next->parts.size() - 1));
  return answer(c, next);
}

std::optional<std::string> no_such_beat(rational beat, const time_signature& t, quarters held) {
  if (beat < rational{1}) return "beat numbers start at 1";
  auto length = measure_length(t);
  auto end = std::max(length, held);
  if (length == quarters{} || position_of_beat(beat, t) - measure_position{} <= end)
    return std::nullopt;
  auto last = beat_at(measure_position{} + end, t) - rational{1};
  return "there is no beat " + to_string(beat) + " in " + to_string(t) + ", which has beats 1 to " +
         to_string(last);
}

result<selector> selector_in(call& c, error& fault) {
  return selector_of(c, c.get("where"), fault);
}

result<std::vector<item_location>> items_in(call& c) {
  error fault;
  auto s = selector_in(c, fault);
  if (!s) return fail(std::move(s.error()));
  auto found = selected_items(*s, *c.state().score);
  if (!fault.diagnostics.empty()) return fail(std::move(fault));
  if (!found)
    for (auto& d : found.error().diagnostics)
      if (!d.span) d.span = c.span_of("where");
  return found;
}

result<std::vector<measure_location>> measures_in(call& c) {
  error fault;
  auto s = selector_in(c, fault);
  if (!s) return fail(std::move(s.error()));
  auto found = selected_measures(*s, *c.state().score);
  if (!found)
    for (auto& d : found.error().diagnostics)
      if (!d.span) d.span = c.span_of("where");
  return found;
}

result<bool> selects_whole_measures(call& c) {
  error fault;
  auto s = selector_in(c, fault);
  if (!s) return fail(std::move(s.error()));
  return s->whole_measures();
}

time_signature time_at(const score& s, const measure_location& at) {
  return time_in_force(*s.parts[at.part], at.measure).value_or(time_signature{});
}

time_signature time_before(const score& s, const measure_location& at) {
  return at.measure == 0
             ? time_signature{}
             : time_in_force(*s.parts[at.part], at.measure - 1).value_or(time_signature{});
}

result<std::vector<item_location>> items_to_take(call& c) {
  auto found = items_in(c);
  if (!found) return found;
  error fault;
  auto s = selector_in(c, fault);
  if (!s) return fail(std::move(s.error()));
  if (s->kind) return found;
  auto kept = *found;
  std::erase_if(kept, [&](const item_location& at) {
    return is_ground(item_at(*c.state().score, at).content);
  });
  return kept.empty() ? *found : kept;
}

result<std::vector<item_location>> items_to_edit(call& c) {
  auto found = items_to_take(c);
  if (!found) return found;
  error fault;
  auto s = selector_in(c, fault);
  if (!s) return fail(std::move(s.error()));
  if (s->kind) return found;
  auto notes = *found;
  std::erase_if(notes, [&](const item_location& at) {
    return !std::holds_alternative<chord_rest>(item_at(*c.state().score, at).content);
  });
  return notes.empty() ? *found : notes;
}

result<std::vector<item_location>> items_to_replace(call& c,
                                                    const std::vector<item_location>& taken,
                                                    const std::vector<measure_content>& line) {
  error fault;
  auto s = selector_in(c, fault);
  if (!s) return fail(std::move(s.error()));
  if (s->kind || line.empty()) return taken;
  auto is_note = [](const measure_content& x) { return std::holds_alternative<chord_rest>(x); };
  auto notes = std::any_of(line.begin(), line.end(), is_note);
  auto kept = taken;
  std::erase_if(kept, [&](const item_location& at) {
    return is_note(item_at(*c.state().score, at).content) != notes;
  });
  if (!kept.empty()) return kept;
  auto e = c.wrong(errc::no_such_target,
                   notes ? "there are no notes or rests there to replace"
                         : "there are no marks there to replace",
                   "where");
  e.diagnostics.front().hint =
      notes ? "select notes" : "use (at WHERE MARK) to add a mark to the notes";
  return fail(std::move(e));
}

}  // namespace fermata
