#include "actors/session/turn_answers.hpp"

#include "actors/session/session_answers.hpp"
#include "core/session/timeline/score_text.hpp"

#include <utility>

namespace fermata::actors {

caf::error conflict(std::uint64_t expected, std::uint64_t current) {
  problem_detail detail;
  detail.message = "revision " + std::to_string(expected) +
                   " was expected, but the score is at revision " + std::to_string(current);
  detail.advice = "Read the score again, then repeat the request with the current revision.";
  detail.revision = current;
  return make_problem(problem::conflict, std::move(detail));
}

evaluation_outcome failed_evaluation(const caf::error& e) {
  auto detail = detail_of(e);
  return {fail({errc::internal, detail.message, std::nullopt, detail.advice}), {}};
}

caf::error to_problem(const refuse_turn& r, std::uint64_t client_line_bytes,
                      const caf::error& read_only, const caf::error& not_written) {
  using reason_t = refuse_turn::reason_t;
  switch (r.reason) {
    case reason_t::conflict: return conflict(r.expected_revision, r.revision);
    case reason_t::not_permitted: return make_problem(problem::not_permitted, r.message, r.advice);
    case reason_t::not_evaluated: return fermata::to_problem(r.cause, r.source);
    case reason_t::no_expression: return nothing_to_evaluate();
    case reason_t::too_large: return too_much_at_once(r.bytes, client_line_bytes);
    case reason_t::read_only: return read_only;
    case reason_t::cancelled_chat: return make_problem(problem::failed, r.message, r.advice);
    case reason_t::not_written: return not_written;
    case reason_t::closing: return closing();
    case reason_t::internal: break;
  }
  return make_problem(problem::internal, r.message);
}

caf::expected<remote_outcome> outcome_of(const entry_ptr& entry, const std::string& source,
                                         const session_state& after) {
  auto& eval = std::get<eval_entry>(entry->kind);
  if (eval.failure) return fermata::to_problem(*eval.failure, source);
  remote_outcome outcome;
  outcome.entry = entry;
  outcome.output_text = eval.output_text;
  outcome.delta_summary = change_summary(eval.delta, eval.env_change);
  outcome.remarks = eval.remarks;
  outcome.revision = after.revision;
  outcome.changed = !eval.delta.empty() || !eval.env_change.empty();
  outcome.scratch = commit_rule_of(after) == commit_rule::nothing;
  return outcome;
}

}  // namespace fermata::actors
