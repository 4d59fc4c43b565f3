#include "core/session/timeline/decide.hpp"

#include "core/lang/syntax/reader.hpp"
#include "core/lang/syntax/token.hpp"
#include "core/session/timeline/entry_text.hpp"
#include "core/session/timeline/score_text.hpp"
#include "core/session/timeline/step_report.hpp"
#include "core/utf8.hpp"

#include <algorithm>

namespace fermata {

namespace {

/// Adds what the numbers of an entry's kind say about the score to an entry that changes it.
std::uint64_t next_revision(const session_state& s, const score_delta& delta) {
  return delta.empty() ? s.revision : s.revision + 1;
}

entry_ptr make_entry(std::int64_t index, entry_kind kind, const entry_source& source,
                     timestamp now) {
  auto entry = std::make_shared<history_entry>();
  entry->index = index;
  entry->time = now;
  entry->source = source;
  entry->kind = std::move(kind);
  return entry;
}

entry_committed entry_next_in(const session_state& s, entry_kind kind, const entry_source& source,
                              timestamp now) {
  return {make_entry(s.history.next_index(), std::move(kind), source, now)};
}

/// The notice of a proposal for the user.
std::string announcement(const proposal& p) {
  auto n = std::to_string(p.number);
  return to_text(p.source) + " proposes \u0394" + n + ": " + p.text + "\n" +
         change_summary(p.delta, p.env_change) + "; `:diff " + n + "` shows it, `:accept " + n +
         "` accepts it, `:reject " + n + "` rejects it";
}

/// Of several top-level forms the last one counts, as it does in a `do`.
std::optional<value> last_of(const std::vector<value>& values) {
  if (values.empty()) return std::nullopt;
  return values.back();
}

result<step_change> change_of_steps(const session_state& s, std::int64_t n, step_way way) {
  auto steps = way == step_way::back ? s.undo : s.redo;
  if (n < 1)
    return fail({errc::out_of_range, "invalid number of steps: " + std::to_string(n), std::nullopt,
                 "Use 1 or more."});
  if (steps.empty())
    return fail({errc::no_such_entry, way == step_way::back ? "nothing to undo" : "nothing to redo",
                 std::nullopt, "`:history --code` shows your changes."});
  step_change change;
  measure_moves moves;
  change.score = s.score;
  change.env = s.env;
  for (; n > 0 && !steps.empty(); --n) {
    auto index = steps.back();
    steps.pop_back();
    auto entry = s.history.at(index);
    auto delta = delta_of(*entry);
    auto env_change = env_change_of(*entry);
    if (!delta || !env_change)
      return fail({errc::no_such_entry,
                   "entry " + std::to_string(index) + " cannot be read from disk, so its change " +
                       "cannot be " + (way == step_way::back ? "undone" : "redone"),
                   std::nullopt, "`:history " + std::to_string(index) + "` shows the reason."});
    auto step = way == step_way::back ? inverted(*delta) : *delta;
    auto score = applied(step, change.score);
    if (!score) return fail(score.error());
    auto moved = moves_of(step);
    moves.insert(moves.end(), moved.begin(), moved.end());
    change.score = *score;
    change.env = applied(way == step_way::back ? inverted(*env_change) : *env_change, change.env);
    change.entries.push_back(index);
    if (way == step_way::back)
      change.steps.push_back(undone{index});
    else
      change.steps.push_back(redone{index});
  }
  change.delta = diff_snapshots(s.score, change.score, moves);
  change.env_change = difference(*s.env, *change.env);
  return change;
}

}  // namespace

transition committed(const session_state& s, entry_kind kind, const entry_source& source,
                     timestamp now) {
  return {{entry_next_in(s, std::move(kind), source, now)}};
}

transition noted(const session_state& s, std::string name, std::string text, timestamp now) {
  // A path in it may not be UTF-8.
  text = as_valid_utf8(text);
  return committed(s, system_entry{std::move(name), std::move(text)}, {"fermata", "system"}, now);
}

transition queued(const session_state& s, std::string content, const entry_source& source,
                  timestamp now) {
  return {{message_queued{{s.next_ticket, now, source, std::move(content)}}}};
}

std::vector<transition> all_pending(const session_state& s, timestamp now) {
  struct arrival {
    timestamp when;
    entry_source source;
    entry_kind kind;
    journal_event also;
  };
  std::vector<arrival> arrivals;
  for (auto& m : s.queue)
    arrivals.push_back({m.arrived, m.source, ai_message_entry{m.content}, message_shown{m.ticket}});
  for (auto& p : s.proposals)
    if (!p.announced && p.state == proposal::state_t::open)
      arrivals.push_back({p.made, p.source, system_entry{"proposal", announcement(p)},
                          proposal_announced{p.number}});
  std::stable_sort(arrivals.begin(), arrivals.end(),
                   [](auto& a, auto& b) { return a.when < b.when; });
  std::vector<transition> all;
  auto index = s.history.next_index();
  for (auto& a : arrivals)
    all.push_back({{entry_committed{make_entry(index++, std::move(a.kind), a.source, now)},
                    std::move(a.also)}});
  return all;
}

std::string output_text(const evaluation& e) {
  std::string text;
  for (auto& v : e.values) {
    if (v.is_nil()) continue;
    if (!text.empty()) text += '\n';
    text += print(v);
  }
  return text;
}

bool is_only_comment(const evaluation& e) { return e.forms.empty() && e.values.empty(); }

bool changes_something(const environment& before, const evaluation& e) {
  return !e.delta.empty() || !difference(before, *e.env).empty();
}

transition evaluated(const session_state& s, const evaluation_origin& origin,
                     const result<evaluation>& outcome, timestamp now) {
  eval_entry entry;
  entry.text = origin.text;
  entry.proposal = origin.proposal;
  entry.revision_before = entry.revision_after = s.revision;
  if (!outcome) {
    entry.failure = outcome.error();
    // What failed can be asked for as data all the same ($In[n]), to be repaired.
    auto forms = read(origin.text);
    if (forms.complete() && !forms.forms.empty()) entry.input = forms.forms.back().datum;
    return committed(s, std::move(entry), origin.source, now);
  }
  entry.input = last_of(outcome->forms);
  entry.output = last_of(outcome->values);
  entry.output_text = origin.printed ? *origin.printed : output_text(*outcome);
  entry.remarks = outcome->remarks;
  entry.delta = outcome->delta;
  entry.env_change = difference(*s.env, *outcome->env);
  entry.revision_after = next_revision(s, entry.delta);
  auto made = entry_next_in(s, std::move(entry), origin.source, now);
  made.score = outcome->score;
  made.env = outcome->env;
  return {{std::move(made)}};
}

transition proposed(const session_state& s, std::int64_t number, const std::string& text,
                    const entry_source& source, std::uint64_t seen_revision, const evaluation& e,
                    timestamp now) {
  proposal p;
  p.number = number;
  p.made = now;
  p.source = source;
  p.text = text;
  p.seen_revision = seen_revision;
  p.base_revision = s.revision;
  p.delta = e.delta;
  p.env_change = difference(*s.env, *e.env);
  p.output_text = output_text(e);
  return {{proposal_made{std::move(p)}}};
}

result<step_change> undo_change(const session_state& s, std::int64_t n) {
  return change_of_steps(s, n, step_way::back);
}

result<step_change> redo_change(const session_state& s, std::int64_t n) {
  return change_of_steps(s, n, step_way::forth);
}

}  // namespace fermata
