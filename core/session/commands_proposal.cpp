#include "core/session/command.hpp"
#include "core/session/command_arguments.hpp"
#include "core/session/entry_text.hpp"
#include "core/session/proposals.hpp"
#include "core/session/score_text.hpp"

#include <algorithm>

// What clients propose, and what they may do.

namespace fermata {

namespace {

std::string name_of_proposal(std::int64_t number) { return "\u0394" + std::to_string(number); }

std::string_view state_name(proposal::state_t state) {
  switch (state) {
    case proposal::state_t::open: return "open";
    case proposal::state_t::accepted: return "accepted";
    case proposal::state_t::rejected: return "rejected";
  }
  return "";
}

/// The proposal that the first argument names: `3` or `Δ3`. Without one, the only open one.
result<const proposal*> chosen_proposal(const command_call& c, bool must_be_open) {
  const proposal* found = nullptr;
  if (c.given.args.empty()) {
    for (auto& p : c.state.proposals)
      if (p.state == proposal::state_t::open) {
        if (found)
          return fail({errc::wrong_argument_count, "several proposals are open", std::nullopt,
                       "Say which one; `:proposals` lists them."});
        found = &p;
      }
    if (!found) return fail({errc::no_such_entry, "no proposal is open"});
    return found;
  }
  std::string_view text = c.given.args.front();
  constexpr std::string_view sign = "\u0394";
  if (text.substr(0, sign.size()) == sign) text.remove_prefix(sign.size());
  auto number = parse_number(text);
  if (!number) return fail(number.error());
  found = find_proposal(c.state, *number);
  if (!found)
    return fail({errc::no_such_entry, "there is no proposal " + std::string{text}, std::nullopt,
                 "`:proposals` lists them."});
  if (must_be_open && found->state != proposal::state_t::open)
    return fail({errc::no_such_entry, name_of_proposal(found->number) + " is already " +
                                          std::string{state_name(found->state)}});
  return found;
}

command_outcome list_proposals(const command_call& c) {
  command_outcome outcome;
  for (auto& p : c.state.proposals) {
    if (p.state != proposal::state_t::open && !c.given.has("all")) continue;
    outcome.output += (outcome.output.empty() ? "" : "\n") + name_of_proposal(p.number) + "  " +
                      to_text(p.source) + "  " + std::string{state_name(p.state)} +
                      (p.reason.empty() ? "" : " (" + p.reason + ')') + "  " + p.text + "  " +
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
  command_outcome outcome;
  outcome.output = (*p)->text;
  if (!(*p)->output_text.empty() && (*p)->output_text != (*p)->text)
    outcome.output += "\n= " + (*p)->output_text;
  auto changes = delta_text((*p)->delta);
  auto definitions = definitions_text((*p)->env_change);
  if (!changes.empty()) outcome.output += '\n' + changes;
  if (!definitions.empty()) outcome.output += '\n' + definitions;
  if (changes.empty() && definitions.empty())
    outcome.output += '\n' + change_summary((*p)->delta, (*p)->env_change);
  if ((*p)->state == proposal::state_t::open && !still_fits(**p, c.state))
    outcome.output += "\nThe score has changed since; `:accept` evaluates it again.";
  return outcome;
}

/// It does not pretend: there is nothing yet that could play it.
command_outcome hear(const command_call& c) {
  auto p = chosen_proposal(c, false);
  if (!p) return refused(p.error());
  auto number = std::to_string((*p)->number);
  return refused("Fermata does not play music yet, so " + name_of_proposal((*p)->number) +
                     " cannot be heard",
                 "`:diff " + number + "` shows what it would change.");
}

/// Accepted in whole or in part: what it changes becomes an entry of its author.
command_outcome taken(const command_call& c, const proposal& p, score_delta delta,
                      environment_delta env_change, std::string output) {
  command_outcome outcome;
  outcome.output = std::move(output);
  outcome.events.push_back(proposal_resolved{p.number, true, {}});
  eval_entry entry;
  entry.text = p.text;
  entry.output_text = p.output_text;
  entry.proposal = p.number;
  entry.revision_before = c.state.revision;
  entry.revision_after = c.state.revision + (delta.empty() ? 0 : 1);
  entry.delta = std::move(delta);
  entry.env_change = std::move(env_change);
  outcome.further = further_entry{std::move(entry), p.source, nullptr, nullptr};
  return outcome;
}

command_outcome accept(const command_call& c) {
  auto chosen = chosen_proposal(c, true);
  if (!chosen) return refused(chosen.error());
  auto& p = **chosen;
  auto name = name_of_proposal(p.number);
  if (c.given.args.size() > 1) {
    auto measures = parse_measures(c.given.args[1], *c.state.score);
    if (!measures) return refused(measures.error());
    auto partial = within_measures(p.delta, *measures);
    if (!partial) return refused(partial.error());
    if (!applied(partial->delta, c.state.score))
      return refused("these measures have changed since " + name + " was made",
                     "`:accept " + std::to_string(p.number) +
                         "` evaluates all of it again on the current score.");
    return taken(c, p, partial->delta, {},
                 "accepted " + name + " in part: " + std::to_string(partial->taken) +
                     (partial->taken == 1 ? " measure taken, " : " measures taken, ") +
                     std::to_string(partial->left_out) + " left out");
  }
  if (still_fits(p, c.state))
    return taken(c, p, p.delta, p.env_change,
                 "accepted " + name + ": " + change_summary(p.delta, p.env_change));
  command_outcome outcome;
  outcome.wish = evaluation_wish{
      p.text, p.source, p.number,
      "accepted " + name + "; the score has changed since it was made, so it was evaluated again " +
          "on the current one"};
  return outcome;
}

command_outcome reject(const command_call& c) {
  auto chosen = chosen_proposal(c, true);
  if (!chosen) return refused(chosen.error());
  std::string reason;
  for (std::size_t i = 1; i < c.given.args.size(); ++i)
    reason += (reason.empty() ? "" : " ") + c.given.args[i];
  command_outcome outcome;
  outcome.output = "rejected " + name_of_proposal((*chosen)->number);
  outcome.events.push_back(proposal_resolved{(*chosen)->number, false, reason});
  return outcome;
}

/// What the policies mean, for the musician.
std::string_view meaning(remote_policy p) {
  switch (p) {
    case remote_policy::ask: return "evaluations become proposals";
    case remote_policy::preview: return "evaluations are previews and change nothing";
    case remote_policy::allow: return "evaluations change the score at once";
    case remote_policy::deny: return "nothing is evaluated";
  }
  return "";
}

command_outcome ai(const command_call& c) {
  command_outcome outcome;
  if (c.given.args.empty()) {
    outcome.output = "clients: " + std::string{to_string(c.state.policy)} + ", " +
                     std::string{meaning(c.state.policy)};
    for (auto& [client, policy] : c.state.client_policies)
      outcome.output += '\n' + client + ": " + std::string{to_string(policy)} + ", " +
                        std::string{meaning(policy)};
    return outcome;
  }
  auto policy = parse_remote_policy(c.given.args.front());
  if (!policy)
    return refused("`" + c.given.args.front() + "` is no policy",
                   "It is one of off, ask, preview, allow.");
  auto client = c.given.args.size() > 1 ? c.given.args[1] : std::string{};
  // `off` stops everybody at once, whatever was said of single clients before.
  auto everybody = client.empty() && *policy == remote_policy::deny;
  outcome.events.push_back(policy_changed{client, *policy, everybody});
  outcome.output = (client.empty() ? "clients" : client) + ": " + std::string{meaning(*policy)};
  return outcome;
}

}  // namespace

std::vector<command_spec> proposal_commands() {
  constexpr std::string_view topic = "Clients and their proposals";
  return {
      {.name = "proposals",
       .aliases = {"props"},
       .options = {{"all", "", "decided ones as well"}},
       .help = "Lists what clients propose.",
       .example = ":proposals",
       .topic = topic,
       .run = list_proposals},
      {.name = "diff",
       .arguments = "[N] | A [B]",
       .most_arguments = 2,
       .help = "Shows what a proposal would change, or how branches or entries differ.",
       .example = ":diff 1",
       .topic = topic,
       .back = looks_back::aside,
       .run = diff},
      {.name = "hear",
       .arguments = "[N]",
       .most_arguments = 1,
       .help = "Will play a proposal; Fermata does not play music yet and says so.",
       .example = ":hear 1",
       .topic = topic,
       .run = hear},
      {.name = "accept",
       .arguments = "[N] [MEASURES]",
       .most_arguments = 2,
       .help = "Takes a proposal, or what of it lies in some measures.",
       .example = ":accept 1",
       .topic = topic,
       .run = accept},
      {.name = "reject",
       .arguments = "[N] [REASON]",
       .most_arguments = 1'000,
       .help = "Refuses a proposal; the client is told why.",
       .example = ":reject 1 too high",
       .topic = topic,
       .run = reject},
      {.name = "ai",
       .arguments = "[off|ask|preview|allow] [CLIENT]",
       .most_arguments = 2,
       .help = "Says what clients may do; `off` stops every change of theirs at once.",
       .example = ":ai ask",
       .topic = topic,
       .run = ai},
  };
}

}  // namespace fermata
