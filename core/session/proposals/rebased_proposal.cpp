#include "core/session/proposals/rebased_proposal.hpp"

#include "core/score/merge/alignment.hpp"
#include "core/score/merge/merge.hpp"
#include "core/score/model/measure_names.hpp"
#include "core/session/proposals/proposals.hpp"
#include "core/session/timeline/branches.hpp"
#include "core/session/timeline/cursor_place.hpp"
#include "core/session/timeline/decide.hpp"
#include "core/session/timeline/score_text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace fermata {

namespace {

bool is_same(const measure_ptr& a, const measure_ptr& b) {
  return a->items.shares(b->items) || (same_body(*a, *b) && opening_of(*a) == opening_of(*b));
}

/// Whether notes of a replacement's measures are no longer there, or are others.
bool loses_notes(const part_change& change, const measure_replacement& r) {
  score_delta alone;
  alone.changed.push_back(change);
  alone.changed.back().header.reset();
  alone.changed.back().renumbered.clear();
  alone.changed.back().measures = {r};
  auto sum = summarize(alone);
  return sum.notes_removed + sum.notes_changed > 0;
}

/// Whether its own diff showed that this measure goes.
bool showed(const proposal& p, const part_change& change, const measure_ptr& m) {
  auto is_m = [&](auto& other) { return is_same(other, m); };
  auto in_part = [&](auto& c) {
    return c.id == change.id && std::any_of(c.measures.begin(), c.measures.end(), [&](auto& r) {
             return std::any_of(r.before.begin(), r.before.end(), is_m);
           });
  };
  auto in_whole = [&](auto& part) {
    auto& all = part.value->measures;
    return part.value->id == change.id && std::any_of(all.begin(), all.end(), is_m);
  };
  return std::any_of(p.delta.changed.begin(), p.delta.changed.end(), in_part) ||
         std::any_of(p.delta.removed.begin(), p.delta.removed.end(), in_whole);
}

}  // namespace

score_ptr original_score(const proposal& p, const session_state& s) {
  if (p.base_revision == s.revision) return s.score;
  auto i = s.history.size();
  for (; i > 0; --i) {
    auto entry = s.history.at(i);
    auto delta = delta_of(*entry);
    if (delta && !delta->empty() && *revision_after(*entry) <= p.base_revision) break;
  }
  auto then = state_after(s, i);
  return then ? then->score : nullptr;
}

std::optional<rebased_proposal> rebase(const proposal& p, const session_state& s, bool in_part) {
  rebased_proposal now;
  now.env_change = p.env_change;
  now.env_change.cursor.reset();
  if (in_part)
    now.env_change = {};
  else if (!fits(now.env_change, *s.env))
    return std::nullopt;
  auto base = p.delta.empty() ? s.score : original_score(p, s);
  auto proposed = base ? applied(p.delta, base) : result<score_ptr>{nullptr};
  if (!base || !proposed) {
    // What it was made of is lost; it may be taken all the same where it fits.
    if (!in_part && !still_fits(p, s)) return std::nullopt;
    proposed = applied(p.delta, s.score);
    if (!proposed) return std::nullopt;
    base = s.score;
  }
  now.moved = !diff_snapshots(base, s.score).empty();
  if (now.moved) {
    auto merged = merge_scores(base, s.score, *proposed);
    if (!merged || !merged->conflicts.empty() || !merged->other_conflicts.empty())
      return std::nullopt;
    now.score = merged->score;
    now.delta = diff_snapshots(s.score, now.score);
    now.repaired = std::move(merged->repaired);
  } else {
    now.score = *proposed;
    now.delta = p.delta;
  }
  now.env_change.cursor = p.env_change.cursor;
  auto& moves = now.env_change.cursor;
  if (!now.moved && !moves) return now;
  if (moves && moves->before == s.env->cursor)
    moves->after = same_place_in(*now.score, **proposed, moves->after);
  else
    moves = before_after<score_cursor>{s.env->cursor,
                                       same_place_in(*now.score, *s.score, s.env->cursor)};
  if (moves->before == moves->after) moves.reset();
  return now;
}

score_ptr proposed_score(const proposal& p, const session_state& s) {
  auto base = original_score(p, s);
  auto proposed = base ? applied(p.delta, base) : result<score_ptr>{nullptr};
  return proposed ? *proposed : nullptr;
}

result<unchanged_measures> unchanged_within(const proposal& p, const session_state& s,
                                            const asked_measures& asked) {
  auto base = original_score(p, s), proposed = proposed_score(p, s);
  if (!proposed)
    return fail({errc::no_such_entry, "the score that it is based on is no longer available"});
  auto within = within_measures(p.delta, asked, *base);
  if (!within) return fail(within.error());
  // As if only these had been proposed.
  auto part = taken_within(p.delta, *within, asked, base);
  auto merged = merge_scores(base, s.score, part.score);
  if (!merged) return fail(merged.error());
  if (!merged->conflicts.empty() || !merged->other_conflicts.empty())
    return fail({errc::no_such_entry, "these measures have changed since"});
  auto repaired = std::move(part.repaired);
  repaired.insert(repaired.end(), merged->repaired.begin(), merged->repaired.end());
  return unchanged_measures{std::move(merged->score), within->taken, within->left_out,
                            std::move(repaired)};
}

std::string answer_now(const proposal& p, const score_delta& delta,
                       const environment_delta& env_change) {
  auto as_then = to_string(summarize(delta)) == to_string(summarize(p.delta));
  return as_then ? p.output_text : change_summary(delta, env_change);
}

environment_delta cursor_change(const proposal& p, const rebased_proposal& now,
                                const session_state& s, const score& next) {
  auto& was = s.env->cursor;
  auto goes_along = p.env_change.cursor && p.env_change.cursor->before == was;
  auto at = !goes_along             ? same_place_in(next, *s.score, was)
            : now.env_change.cursor ? same_place_in(next, *now.score, now.env_change.cursor->after)
                                    : same_place_in(next, *now.score, was);
  environment_delta change;
  if (!(at == was)) change.cursor = before_after<score_cursor>{was, at};
  return change;
}

std::string proposal_text(const proposal& p, const score_delta& delta,
                          const environment_delta& env_change, const score& before,
                          bool accessible) {
  auto text = p.text;
  auto changes = delta_text(delta, before, accessible),
       definitions = definitions_text(env_change, accessible);
  auto answer = answer_now(p, delta, env_change);
  // What it gave then is not what it gives now, where something of it is here already.
  if (answer == p.output_text && !answer.empty() && answer != p.text) text += "\n= " + answer;
  if (!changes.empty()) text += '\n' + changes;
  if (!definitions.empty()) text += '\n' + definitions;
  if (changes.empty() && definitions.empty()) text += '\n' + change_summary(delta, env_change);
  return text;
}

std::string text_of_evaluation(const proposal& p, const session_state& s,
                               const result<evaluation>& again, bool accessible) {
  if (!again)
    return "\n\nThe score has since changed in the same places, and it no longer evaluates: " +
           again.error().first().message;
  auto env_change = difference(*s.env, *again->env);
  auto changes = delta_text(again->delta, *s.score, accessible),
       definitions = definitions_text(env_change, accessible);
  std::string text =
      "\n\nThe score has since changed in the same places. Evaluated again, it would change:";
  if (!changes.empty()) text += '\n' + changes;
  if (!definitions.empty()) text += '\n' + definitions;
  if (changes.empty() && definitions.empty())
    text += '\n' + change_summary(again->delta, env_change);
  auto number = std::to_string(p.number);
  if (auto what = overwritten_by(again->delta, p))
    text += "\nThis overwrites later changes: " + *what + ". `:accept " + number +
            " --again` accepts it anyway.";
  else
    text += "\n`:accept " + number + "` accepts this.";
  return text;
}

std::optional<std::string> overwritten_by(const score_delta& again, const proposal& p) {
  std::vector<std::string> what;
  for (auto& change : again.changed) {
    auto name = change.name.empty() ? change.id : change.name;
    for (auto& r : change.measures) {
      if (!loses_notes(change, r)) continue;
      for (std::size_t i = 0; i < r.before.size(); ++i)
        if (has_notes(*r.before[i]) && !showed(p, change, r.before[i]))
          what.push_back(
              fmt::format("measure {} of {}", printed_number(*r.before[i], r.first + i), name));
    }
  }
  for (auto& gone : again.removed) {
    auto known = std::any_of(p.delta.removed.begin(), p.delta.removed.end(),
                             [&](auto& other) { return *other.value == *gone.value; });
    if (!known)
      what.push_back("the part " + (gone.value->name.empty() ? gone.value->id : gone.value->name));
  }
  if (again.frame_before &&
      !(p.delta.frame_before && again.frame_before->header == p.delta.frame_before->header) &&
      !(again.frame_before->header == again.frame_after->header) &&
      !(again.frame_before->header == score_header{}))
    what.push_back("the titles");
  if (what.empty()) return std::nullopt;
  constexpr std::size_t most = 6;
  auto more = what.size() > most ? what.size() - most : 0;
  what.resize(what.size() - more);
  return fmt::format("{}{}", fmt::join(what, ", "),
                     more > 0 ? fmt::format(" and {} more", more) : "");
}

}  // namespace fermata
