#include "actors/session/request_checks.hpp"

#include "actors/session/session_answers.hpp"
#include "core/session/commands/classify.hpp"
#include "io/text/safe_text.hpp"
#include "messages/errors.hpp"

#include <algorithm>

namespace fermata::actors {

std::optional<caf::error> refusal_of_text(const std::string& text) {
  switch (classify(text).kind) {
    case input_kind::expression: return std::nullopt;
    case input_kind::empty: return nothing_to_evaluate();
    case input_kind::command:
      return make_problem(problem::not_permitted, "only the user may run commands",
                          "Evaluate an expression instead.");
    case input_kind::chat:
      return make_problem(problem::not_permitted, "only the user may write // messages",
                          "Use send_message.");
  }
  return make_problem(problem::internal, "unclassifiable input");
}

std::optional<evaluation_use> use_of_evaluation(const session_state& s,
                                                const remote_evaluation& what, bool is_read_only) {
  switch (policy_for(s, what.source.author)) {
    case remote_policy::deny: return std::nullopt;
    case remote_policy::preview: return evaluation_use::preview;
    case remote_policy::ask: return evaluation_use::propose;
    case remote_policy::allow: break;
  }
  return what.always_propose || is_read_only ? evaluation_use::propose : evaluation_use::commit;
}

std::optional<caf::error> refusal_of_command(const session_state& s, const entry_source& source) {
  auto policy = policy_for(s, source.author);
  if (policy != remote_policy::deny && policy != remote_policy::preview) return std::nullopt;
  return not_permitted(policy, source);
}

std::optional<caf::error> refusal_of_undo(const session_state& s, const remote_undo& what) {
  auto policy = policy_for(s, what.source.author);
  if (!is_user(what.source) && policy != remote_policy::allow)
    return make_problem(problem::not_permitted,
                        "the policy for " + what.source.author + " is `" +
                            std::string{to_string(policy)} + "`; undo needs `allow`",
                        "Propose the inverse change, or ask the user to undo.");
  if (what.count < 1)
    return make_problem(problem::out_of_range,
                        "invalid number of steps: " + std::to_string(what.count), "Use 1 or more.");
  return std::nullopt;
}

std::optional<caf::error> refusal_of_answer(const session_state& s, const proposal_answer& what) {
  if (auto policy = policy_for(s, what.source.author); policy == remote_policy::deny)
    return not_permitted(policy, what.source);
  auto found = std::find_if(s.proposals.begin(), s.proposals.end(),
                            [&](auto& p) { return p.number == what.number; });
  auto name = "proposal " + std::to_string(what.number);
  if (found == s.proposals.end())
    return make_problem(problem::not_found, "there is no " + name,
                        "get_session lists the open ones.");
  if (found->source != what.source)
    return make_problem(problem::not_permitted, name + " was made by " + found->source.author,
                        "Only its author may answer it here; the user decides at the prompt.");
  if (found->state != proposal::state_t::open)
    return make_problem(problem::invalid_state, name + " has already been decided",
                        "See get_history.");
  return std::nullopt;
}

std::optional<caf::error> refusal_of_message(const std::string& content, std::size_t max_bytes) {
  if (io::shows_nothing(content))
    return make_problem(problem::invalid_params, "the message is empty", "Give it some text.");
  if (content.size() > max_bytes)
    return make_problem(problem::out_of_range,
                        "the message has " + std::to_string(content.size()) + " bytes; at most " +
                            std::to_string(max_bytes) + " are allowed",
                        "Send it in several parts.");
  return std::nullopt;
}

std::optional<caf::error> no_room_for_line(const turn_state& turns, const session_limits& limits) {
  if (turns.lines_waiting() < limits.turns_waiting) return std::nullopt;
  return busy("too many lines are queued for this session");
}

std::optional<caf::error> no_room_for_turn(const turn_state& turns, const session_limits& limits,
                                           const std::string& caller, std::size_t bytes,
                                           std::size_t bytes_of_previews) {
  auto& waiting = turns.waiting;
  if (waiting.of_client(caller) >= limits.turns_of_client)
    return busy("too many of your evaluations are queued for this session");
  auto text = waiting.bytes_of_clients() + bytes_of_previews;
  if (waiting.of_clients() >= limits.turns_waiting ||
      (text > 0 && text + bytes > limits.waiting_bytes))
    return busy("too many evaluations by clients are queued for this session");
  return std::nullopt;
}

bool waits_for_user(const session_state& s) {
  return !s.queue.empty() || std::any_of(s.proposals.begin(), s.proposals.end(), [](auto& p) {
    return p.state == proposal::state_t::open;
  });
}

std::optional<caf::error> no_room_for_message(const session_state& s, std::size_t bytes,
                                              std::size_t max_messages, std::size_t max_bytes) {
  for (auto& waiting : s.queue)
    bytes += waiting.content.size();
  if (s.queue.size() < max_messages && bytes <= max_bytes) return std::nullopt;
  return busy("the user has not yet read " + std::to_string(s.queue.size()) + " pending messages");
}

}  // namespace fermata::actors
