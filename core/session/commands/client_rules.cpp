#include "core/session/commands/command.hpp"
#include "core/session/timeline/author.hpp"

#include <algorithm>

// `:ai`: what clients may do. The rules are those of one session.

namespace fermata {

namespace {

/// What the policies mean, for the user.
std::string_view meaning(remote_policy p) {
  switch (p) {
    case remote_policy::ask: return "evaluations become proposals for you to accept";
    case remote_policy::preview: return "evaluations are previews and change nothing";
    case remote_policy::allow: return "evaluations change the score at once";
    case remote_policy::deny: return "evaluations are refused; previews still work";
  }
  return "";
}

/// A policy as the user writes it: the socket says `deny` where the command says `off`.
std::string_view word_for(remote_policy p) {
  return p == remote_policy::deny ? "off" : to_string(p);
}

std::string rule_text(std::string_view client, remote_policy p) {
  return std::string{client} + ": " + std::string{word_for(p)} + ", " + std::string{meaning(p)};
}

/// What was said of single clients, a line each with a newline before it.
std::string rules_of_single_clients(const session_state& s) {
  std::string text;
  for (auto& [client, policy] : s.client_policies)
    text += '\n' + rule_text(client, policy);
  for (auto& [client, policy] : s.policies_before_off)
    text += '\n' + client + ": off, like all clients; " + std::string{word_for(policy)} +
            " again once clients are no longer off";
  return text;
}

/// A policy for a client that has done nothing here may be intended, or its name misspelt.
std::string remark_on(const std::string& client, const session_state& s) {
  auto known = known_clients(s);
  if (std::find(known.begin(), known.end(), client) != known.end()) return {};
  auto guess = nearest(client, {known.begin(), known.end()});
  return "\nno client named `" + client + "` has connected yet" +
         (guess ? "; did you mean `" + *guess + "`?" : "");
}

/// What of a session's rules lets clients, or the one that is named, do something there; empty:
/// nothing.
std::string permissions(const session_state& s, const std::string& client) {
  if (!s.written_by.empty()) return {};  // whatever they say, nothing can be changed from here
  std::string text;
  auto add = [&](const std::string& what) { text += (text.empty() ? "" : ", ") + what; };
  auto rule = client.empty() ? s.policy : policy_for(s, client);
  if (rule != remote_policy::deny) add(std::string{word_for(rule)});
  if (client.empty() && text.empty())
    for (auto& [name, policy] : s.client_policies)
      if (policy != remote_policy::deny) add(name + ": " + std::string{word_for(policy)});
  return text;
}

/// Each session has its rules: who stops clients in one is told where they go on.
std::string where_they_go_on(const command_call& c, const std::string& client) {
  constexpr std::size_t most = 8;
  std::string text, first;
  std::size_t found = 0;
  for (auto& other : c.others ? c.others() : std::vector<session_snapshot>{}) {
    auto rules = permissions(*other, client);
    if (rules.empty()) continue;
    if (++found == 1) first = other->meta.slug;
    if (found <= most) text += (text.empty() ? "" : ", ") + other->meta.slug + " (" + rules + ')';
  }
  if (found == 0) return {};
  if (found > most) text += " and " + std::to_string(found - most) + " more";
  return "\nThis applies to this session only. In other open sessions " +
         (client.empty() ? "clients" : client) + " may still act: " + text + "\n`:session switch " +
         first + "`, then `:ai off" + (client.empty() ? "" : ' ' + client) + "` stops them there";
}

/// What was said of this client holds no more.
command_outcome like_all(const command_call& c, const std::string& client) {
  command_outcome outcome;
  auto all = std::string{meaning(c.state.policy)};
  if (c.state.client_policies.contains(client) || c.state.policies_before_off.contains(client)) {
    outcome.events.push_back(policy_changed{client, std::nullopt, false});
    outcome.output = client + ": same rule as for all clients, " + all;
  } else {
    outcome.output = client + " has no rule of its own; the rule for all clients applies: " + all +
                     remark_on(client, c.state);
  }
  return outcome;
}

}  // namespace

command_outcome client_rules(const command_call& c) {
  command_outcome outcome;
  auto& args = c.given.args;
  if (args.empty()) {
    outcome.output = rule_text("clients", c.state.policy) + rules_of_single_clients(c.state);
    return outcome;
  }
  auto client = args.size() > 1 ? client_named(args[1]) : std::string{};
  auto is_default = args.front() == "default";
  if (is_default && !client.empty()) return like_all(c, client);
  auto policy = is_default ? session_state{}.policy : parse_remote_policy(args.front());
  if (!policy)
    return refused("unknown policy `" + args.front() + "`",
                   "Choose off, ask, preview, allow or default.");
  auto stops = *policy == remote_policy::deny;
  if (!client.empty()) {
    outcome.events.push_back(policy_changed{client, *policy, false});
    outcome.output = client + ": " + std::string{meaning(*policy)} + remark_on(client, c.state);
  } else {
    // `off` stops everybody at once, whatever was said of single clients before.
    outcome.events.push_back(policy_changed{{}, *policy, stops});
    outcome.output = "clients: " + std::string{meaning(*policy)};
    // For some it may be otherwise, and that is to be seen before it is felt.
    if (auto next = apply(c.state, transition{outcome.events}))
      outcome.output += rules_of_single_clients(*next);
  }
  if (stops) outcome.output += where_they_go_on(c, client);
  return outcome;
}

}  // namespace fermata
