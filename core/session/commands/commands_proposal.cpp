#include "core/score/model/measure_names.hpp"
#include "core/session/commands/command.hpp"
#include "core/session/commands/command_arguments.hpp"
#include "core/session/proposals/proposals.hpp"
#include "core/session/proposals/rebased_proposal.hpp"
#include "core/session/timeline/cursor_place.hpp"
#include "core/session/timeline/entry_text.hpp"
#include "core/session/timeline/score_text.hpp"

#include <algorithm>

// What clients propose.

namespace fermata {

namespace {

std::string name_of_proposal(std::int64_t number, const command_call& c) {
  return (c.options.accessible ? "proposal " : "\u0394") + std::to_string(number);
}

std::string_view state_name(proposal::state_t state) {
  switch (state) {
    case proposal::state_t::open: return "open";
    case proposal::state_t::accepted: return "accepted";
    case proposal::state_t::rejected: return "rejected";
  }
  return "";
}

result<const proposal*> only_open_proposal(const command_call& c) {
  const proposal* found = nullptr;
  for (auto& p : c.state.proposals)
    if (p.state == proposal::state_t::open) {
      if (found)
        return fail({errc::wrong_argument_count, "more than one proposal is open", std::nullopt,
                     "Give a number; `:proposals` lists them."});
      found = &p;
    }
  if (!found) return fail({errc::no_such_entry, "no proposal is open"});
  return found;
}

/// "accepted", "accepted (measures 2 to 3 only, 1 left out)"
std::string state_text(const proposal& p) {
  return std::string{state_name(p.state)} + (p.reason.empty() ? "" : " (" + p.reason + ')');
}

/// What of a text fits into a line of a list.
std::string in_one_line(std::string_view text) {
  constexpr std::string_view blank = " \t\r\n";
  text.remove_prefix(std::min(text.find_first_not_of(blank), text.size()));
  auto line = text.substr(0, text.find_first_of("\r\n"));
  auto more = text.find_first_not_of(blank, line.size()) != text.npos;
  line = line.substr(0, line.find_last_not_of(blank) + 1);
  return std::string{line} + (more ? " ..." : "");
}

command_outcome list_proposals(const command_call& c) {
  command_outcome outcome;
  for (auto& p : c.state.proposals) {
    if (p.state != proposal::state_t::open && !c.given.has("all")) continue;
    outcome.output += (outcome.output.empty() ? "" : "\n") + name_of_proposal(p.number, c) + "  " +
                      to_text(p.source) + "  " + state_text(p) + "  " + in_one_line(p.text) + "  " +
                      change_summary(p.delta, p.env_change);
  }
  if (outcome.output.empty()) outcome.output = "no proposal is open";
  return outcome;
}

/// `2` and `Δ2` are proposals; everything else, and two of anything, is for `compare_sides`.
bool names_a_proposal(const std::vector<std::string>& args) {
  if (args.empty()) return true;
  constexpr std::string_view sign = "\u0394";
  return args.size() == 1 &&
         (args.front().substr(0, sign.size()) == sign || parse_number(args.front()));
}

command_outcome diff(const command_call& c) {
  if (!names_a_proposal(c.given.args)) return compare_sides(c);
  auto p = chosen_proposal(c, false);
  if (!p) return refused(p.error());
  auto& chosen = **p;
  command_outcome outcome;
  auto now = chosen.state == proposal::state_t::open ? rebase(chosen, c.state) : std::nullopt;
  auto before = now ? c.state.score : original_score(chosen, c.state);
  outcome.output =
      now ? proposal_text(chosen, now->delta, now->env_change, *before, c.options.accessible)
          : proposal_text(chosen, chosen.delta, chosen.env_change, before ? *before : score{},
                          c.options.accessible);
  if (now && now->moved) {
    for (auto& sentence : now->repaired)
      outcome.output += '\n' + sentence;
    outcome.output += "\nThe score has changed since; this is what `:accept " +
                      std::to_string(chosen.number) + "` would change now.";
  }
  if (!now && is_partly_accepted(chosen)) {
    outcome.output += "\nThe score has changed in the same places since.";
  } else if (!now && chosen.state == proposal::state_t::open) {
    evaluation_effect requested_effect{chosen.text, chosen.source, chosen.number,
                                       std::move(outcome.output)};
    requested_effect.use = evaluation_effect::use_t::show;
    outcome.requested_effect = std::move(requested_effect);
  }
  return outcome;
}

/// Accepted: what it changes becomes an entry of its author, with the answer to it.
command_outcome taken(const command_call& c, const proposal& p, score_delta delta,
                      environment_delta env_change, std::string answer, std::string output) {
  command_outcome outcome;
  outcome.output = std::move(output);
  outcome.events.push_back(proposal_resolved{p.number, true, {}});
  eval_entry entry;
  entry.text = p.text;
  entry.output_text = std::move(answer);
  entry.proposal = p.number;
  entry.revision_before = c.state.revision;
  entry.revision_after = c.state.revision + (delta.empty() ? 0 : 1);
  entry.delta = std::move(delta);
  entry.env_change = std::move(env_change);
  outcome.further = further_entry{std::move(entry), p.source, nullptr, nullptr};
  return outcome;
}

/// Some measures are accepted: their change becomes an entry, and the rest of the proposal stays
/// open. `rest` is relative to the score that the entry makes; without it the proposal stays as it
/// is.
command_outcome taken_in_part(const command_call& c, const proposal& p, score_delta delta,
                              environment_delta env_change, std::string output,
                              const std::string& measures, std::optional<proposal> rest) {
  auto number = std::to_string(p.number);
  output += "\nThe rest of " + name_of_proposal(p.number, c) + " stays open: `:accept " + number +
            "` accepts it, `:reject " + number + "` rejects it.";
  // The output of the text is about all of the proposal.
  auto answer = "accepted in part: " + change_summary(delta, {});
  auto outcome =
      taken(c, p, std::move(delta), std::move(env_change), std::move(answer), std::move(output));
  auto left = rest ? std::move(*rest) : p;
  auto accepted = measures + " accepted";
  left.reason = p.reason.empty() ? accepted : p.reason + ", " + accepted;
  outcome.events = {proposal_made{std::move(left)}};
  return outcome;
}

/// "adds part Flute and removes part Oboe"; empty: all parts stay.
std::string whole_parts(const score_delta& d) {
  std::string text;
  auto add = [&](const std::string& what) { text += (text.empty() ? "" : " and ") + what; };
  auto label = [](const part& p) { return "part " + (p.name.empty() ? p.id : p.name); };
  for (auto& p : d.added)
    add("adds " + label(*p.value));
  for (auto& p : d.removed)
    add("removes " + label(*p.value));
  return text;
}

/// Whether groups open or close otherwise; parts that come or go move the others in the list.
bool groups_differ(const score_delta& d) {
  auto &before = *d.frame_before, &after = *d.frame_after;
  if (before.extra != after.extra) return true;
  if (d.added.empty() && d.removed.empty()) return before.part_list != after.part_list;
  auto groups = [](auto list) {
    std::erase_if(list, [](auto& item) { return std::holds_alternative<std::size_t>(item); });
    return list;
  };
  return groups(before.part_list) != groups(after.part_list);
}

/// What of a proposal is in no measure and in no part that comes or goes, and so is not taken with
/// some measures: "definition x, the titles of the score"; empty: there is nothing of that kind.
std::string beside_measures(const proposal& p) {
  std::string text;
  auto add = [&](const std::string& what) { text += (text.empty() ? "" : ", ") + what; };
  auto& d = p.delta;
  for (auto& b : p.env_change.bindings)
    add((b.after ? "the definition of " : "the removal of ") + b.name);
  if (p.env_change.defaults) add("the session's defaults");
  if (d.frame_before && d.frame_before->header != d.frame_after->header) add("titles and credits");
  if (d.frame_before && groups_differ(d)) add("part groups");
  if (d.added.empty() && d.removed.empty() && !d.moved_to.empty()) add("part order");
  for (auto& change : d.changed)
    if (change.header)
      add("name, instruments or layout of part " + (change.name.empty() ? change.id : change.name));
  return text;
}

constexpr std::pair no_measures{1, 0};

/// "measures 2 to 3": which of them were accepted, for later queries.
std::string measures_taken(const asked_measures& asked, const score& after, const score& before) {
  auto goes = asked.after == no_measures;
  auto [first, last] = goes ? asked.before : asked.after;
  auto number = [&](int place) {
    return printed_number(goes ? before : after, static_cast<std::size_t>(place - 1));
  };
  return measures_in_words(number(first), last == to_the_end ? "the end" : number(last));
}

/// The measures of a proposal by the numbers that its diff shows. Of the parts that it changes, so
/// that parts that number differently are asked for as they are shown.
result<asked_measures> measures_of(const score_delta& d, const score& after, const score& before,
                                   const std::string& text) {
  std::vector<std::size_t> parts_after, parts_before;
  for (auto& change : d.changed) {
    parts_after.push_back(change.index_after);
    parts_before.push_back(change.index_before);
  }
  auto come = parse_measures(text, after, parts_after);
  auto gone = parse_measures(text, before, parts_before);
  if (!come && !gone) return fail(come.error());
  if (auto middle = text.find_first_of("-:"); !come && middle != text.npos) {
    // It begins or ends with one that is deleted.
    auto place = [&](const std::string& number, int was, int open) {
      if (number.empty()) return open;
      auto found = parse_measure_numbers(number, after, parts_after);
      if (found) return found->first;
      auto in_front = measures_in_front(d, before, static_cast<std::size_t>(was - 1));
      return static_cast<int>(in_front) + (was == gone->first ? 1 : 0);
    };
    auto first = place(text.substr(0, middle), gone->first, 1);
    auto last = place(text.substr(middle + 1), gone->second, to_the_end);
    if (first <= last) come = std::pair{first, last};
  }
  return asked_measures{come.value_or(no_measures), gone.value_or(no_measures)};
}

/// What is left of a proposal when some of its measures have made the score `taken`, with what
/// `taken_env` says of the environment.
proposal rest_of(const proposal& p, const rebased_proposal& now, const session_state& s,
                 const score_ptr& taken, const environment_delta& taken_env) {
  auto rest = p;
  rest.base_revision = s.revision + 1;
  rest.delta = diff_snapshots(taken, now.score);
  auto at = taken_env.cursor ? taken_env.cursor->after : s.env->cursor;
  auto end = now.env_change.cursor ? now.env_change.cursor->after : s.env->cursor;
  rest.env_change.cursor.reset();
  if (!(at == end)) rest.env_change.cursor = before_after<score_cursor>{at, end};
  rest.output_text = change_summary(rest.delta, rest.env_change);
  return rest;
}

/// What of a proposal lies in some measures.
command_outcome accept_measures(const command_call& c, const proposal& p,
                                const rebased_proposal& now, const std::string& text) {
  auto name = name_of_proposal(p.number, c);
  auto number = std::to_string(p.number);
  auto asked = measures_of(now.delta, *now.score, *c.state.score, text);
  if (!asked) return refused(asked.error());
  auto partial = within_measures(now.delta, *asked, *c.state.score);
  auto whole = whole_parts(now.delta);
  if (!partial && !whole.empty() && partial.error().first().code == errc::no_such_target)
    return refused((now.delta.changed.empty() ? "" : partial.error().first().message + "; ") +
                       name + ' ' + whole + "; parts are added or removed as a whole",
                   "`:accept " + number + "` accepts all of it.");
  if (!partial) return refused(partial.error());
  auto fitted = taken_within(now.delta, *partial, *asked, c.state.score);
  auto delta = diff_snapshots(c.state.score, fitted.score);
  std::string repaired;
  for (auto& sentence : fitted.repaired)
    repaired += '\n' + sentence;
  if (delta.empty())
    return refused(name + " would change nothing in these measures; it stays open",
                   repaired.empty() ? "`:diff " + number + "` shows what it changes."
                                    : std::string_view{repaired}.substr(1));
  auto rest = beside_measures(p);
  if (partial->left_out == 0 && whole.empty() && rest.empty())
    return taken(c, p, now.delta, now.env_change, p.output_text,
                 "accepted " + name + ": " + std::to_string(partial->taken) +
                     (partial->taken == 1 ? " measure accepted, " : " measures accepted, ") +
                     "0 left out");
  auto output = "accepted " + name + " in part: " + std::to_string(partial->taken) +
                (partial->taken == 1 ? " measure accepted, " : " measures accepted, ") +
                std::to_string(partial->left_out) + " left out" + repaired;
  if (!whole.empty())
    output += "\nNot accepted, because parts are added or removed as a whole: " + whole;
  if (!rest.empty()) output += "\nNot accepted, because it belongs to no measure: " + rest;
  auto env_change = cursor_change(p, now, c.state, *fitted.score);
  auto left = rest_of(p, now, c.state, fitted.score, env_change);
  auto measures = measures_taken(*asked, *now.score, *c.state.score);
  return taken_in_part(c, p, std::move(delta), std::move(env_change), std::move(output), measures,
                       std::move(left));
}

/// The same where the score has changed in other measures of the proposal.
command_outcome accept_unchanged(const command_call& c, const proposal& p,
                                 const std::string& text) {
  auto name = name_of_proposal(p.number, c);
  auto number = std::to_string(p.number);
  auto advice = "`:diff " + number + "` shows what it would change now.";
  auto base = original_score(p, c.state), proposed = proposed_score(p, c.state);
  if (!proposed)
    return refused("the score that " + name + " is based on is no longer available", advice);
  auto asked = measures_of(p.delta, *proposed, *base, text);
  if (!asked) return refused(asked.error());
  auto unchanged = unchanged_within(p, c.state, *asked);
  if (!unchanged && unchanged.error().first().code == errc::no_such_entry)
    return refused("these measures have changed since " + name + " was made", advice);
  if (!unchanged) return refused(unchanged.error());
  auto delta = diff_snapshots(c.state.score, unchanged->score);
  if (delta.empty())
    return refused(name + " would change nothing in these measures; it stays open", advice);
  auto output = "accepted " + name + " in part: " + std::to_string(unchanged->taken) +
                (unchanged->taken == 1 ? " measure accepted, " : " measures accepted, ") +
                std::to_string(unchanged->left_out) + " left out";
  for (auto& sentence : unchanged->repaired)
    output += '\n' + sentence;
  auto whole = whole_parts(p.delta), rest = beside_measures(p);
  if (!whole.empty())
    output += "\nNot accepted, because parts are added or removed as a whole: " + whole;
  if (!rest.empty()) output += "\nNot accepted, because it belongs to no measure: " + rest;
  environment_delta env_change;
  auto& was = c.state.env->cursor;
  auto at = same_place_in(*unchanged->score, *c.state.score, was);
  if (!(at == was)) env_change.cursor = before_after<score_cursor>{was, at};
  if (unchanged->left_out == 0 && whole.empty() && rest.empty()) {
    auto answer = change_summary(delta, {});
    return taken(c, p, std::move(delta), std::move(env_change), std::move(answer),
                 std::move(output));
  }
  return taken_in_part(c, p, std::move(delta), std::move(env_change), std::move(output),
                       measures_taken(*asked, *proposed, *base), std::nullopt);
}

command_outcome accept(const command_call& c) {
  auto chosen = chosen_proposal(c, true);
  if (!chosen) return refused(chosen.error());
  auto& p = **chosen;
  auto name = name_of_proposal(p.number, c);
  auto number = std::to_string(p.number);
  auto again = c.given.has("again");
  auto in_part = c.given.args.size() > 1;
  if (again && is_partly_accepted(p))
    return refused("part of " + name +
                       " has already been accepted; evaluating it again would apply that twice",
                   "`:accept " + number + "` accepts the rest.");
  if (again && in_part)
    return refused("--again cannot be limited to some measures",
                   "`:accept " + number + " --again` accepts all of it.");
  auto now = again ? std::nullopt : rebase(p, c.state, in_part);
  if (in_part && !now) return accept_unchanged(c, p, c.given.args[1]);
  if (in_part) return accept_measures(c, p, *now, c.given.args[1]);
  if (now) {
    auto output = "accepted " + name + (now->moved ? ", adapted to the current score: " : ": ") +
                  change_summary(now->delta, now->env_change);
    for (auto& sentence : now->repaired)
      output += '\n' + sentence;
    auto answer = answer_now(p, now->delta, now->env_change);
    return taken(c, p, std::move(now->delta), std::move(now->env_change), std::move(answer),
                 std::move(output));
  }
  if (is_partly_accepted(p))
    return refused(
        "the score has changed in the same places since part of " + name + " was accepted",
        "`:accept " + number + " MEASURES` accepts measures that have not changed; `:diff " +
            number + "` shows them.");
  evaluation_effect requested_effect{p.text, p.source, p.number,
                                     "accepted " + name +
                                         "; the score had changed, so it was evaluated again"};
  requested_effect.use =
      again ? evaluation_effect::use_t::commit : evaluation_effect::use_t::commit_unless_lost;
  command_outcome outcome;
  outcome.requested_effect = std::move(requested_effect);
  return outcome;
}

command_outcome reject(const command_call& c) {
  auto& args = c.given.args;
  // Without a number all of it is the reason.
  auto is_named = args.empty() || args.front().starts_with("\u0394") || parse_number(args.front());
  auto chosen = is_named ? chosen_proposal(c, true) : only_open_proposal(c);
  if (!chosen) return refused(chosen.error());
  std::string reason;
  for (std::size_t i = is_named ? 1 : 0; i < c.given.args.size(); ++i)
    reason += (reason.empty() ? "" : " ") + c.given.args[i];
  command_outcome outcome;
  outcome.output = "rejected " + name_of_proposal((*chosen)->number, c);
  outcome.events.push_back(proposal_resolved{(*chosen)->number, false, reason});
  return outcome;
}

}  // namespace

result<const proposal*> chosen_proposal(const command_call& c, bool must_be_open) {
  if (c.given.args.empty()) return only_open_proposal(c);
  std::string_view text = c.given.args.front();
  constexpr std::string_view sign = "\u0394";
  if (text.substr(0, sign.size()) == sign) text.remove_prefix(sign.size());
  auto number = parse_number(text);
  if (!number) return fail(number.error());
  auto found = find_proposal(c.state, *number);
  if (!found)
    return fail({errc::no_such_entry, "no such proposal: " + std::string{text}, std::nullopt,
                 "`:proposals` lists them."});
  if (must_be_open && found->state != proposal::state_t::open)
    return fail({errc::no_such_entry,
                 name_of_proposal(found->number, c) + " is already " + state_text(*found)});
  return found;
}

std::vector<command_spec> proposal_commands() {
  constexpr std::string_view topic = "Clients and their proposals";
  return {
      {.name = "proposals",
       .aliases = {"props"},
       .options = {{"all", "", "include decided ones"}},
       .help = "Lists proposals from clients.",
       .example = ":proposals",
       .topic = topic,
       .run = list_proposals},
      {.name = "diff",
       .arguments = "[N] | A [B]",
       .most_arguments = 2,
       .help = "Shows what a proposal would change, or how branches or entries differ.",
       .example = ":diff 1",
       .topic = topic,
       .back = searches_history::aside,
       .run = diff},
      {.name = "accept",
       .arguments = "[N] [MEASURES]",
       .most_arguments = 2,
       .options = {{"again", "",
                    "evaluate it again on the current score, even if that overwrites later changes",
                    true}},
       .help = "Accepts a proposal, or only some measures of it, numbered as in `:diff`: 5, 5-8, "
               "6-, -4, 0 for a pickup; the rest stays open.",
       .example = ":accept 1",
       .topic = topic,
       .back = searches_history::in_turn,
       .destructive = true,
       .run = accept},
      {.name = "reject",
       .arguments = "[N] [REASON]",
       .most_arguments = 1'000,
       .help = "Rejects a proposal; the client is told the reason.",
       .example = ":reject 1 too high",
       .topic = topic,
       .destructive = true,
       .run = reject},
      {.name = "ai",
       .arguments = "[off|ask|preview|allow|default] [CLIENT]",
       .most_arguments = 2,
       .help = "Sets what clients may do in this session. `off` blocks all their changes at once; "
               "`default CLIENT` removes the rule for one client.",
       .example = ":ai ask",
       .topic = topic,
       .run = client_rules},
  };
}

}  // namespace fermata
