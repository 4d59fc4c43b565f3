// What clients evaluate: previews and proposals.

#include "actors/session/session.hpp"
#include "actors/session/session_answers.hpp"
#include "core/session/commands/classify.hpp"
#include "core/session/timeline/decide.hpp"
#include "core/session/timeline/score_text.hpp"

#include <algorithm>
#include <utility>

namespace fermata::actors {

namespace {

/// Clients evaluate expressions; commands and the musician's own words are not theirs.
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

/// What was to be proposed is another request than what may be done at once.
keyed_request request_of(const remote_evaluation& what) {
  return {what.source, what.idempotency_key, what.always_propose ? "propose" : "eval", what.text,
          what.expected_revision};
}

}  // namespace

caf::result<remote_outcome> session_actor_state::propose(remote_evaluation what) {
  if (stopping_) return closing();
  auto policy = policy_for(*writer_->planned(), what.source.author);
  if (policy == remote_policy::deny) return not_permitted(policy, what.source);
  if (auto refusal = refusal_of_text(what.text)) return std::move(*refusal);
  auto evaluates_now = policy == remote_policy::allow && !what.always_propose && !is_only_read();
  auto may_propose = policy != remote_policy::preview;
  auto request = request_of(what);
  // Of a preview nothing is kept; but what was done before is answered, whatever is allowed now.
  if (!may_propose && !was_answered(request)) request.key.clear();
  auto promise = self_->make_response_promise<remote_outcome>();
  auto admitted = admit(request, answering_any<remote_outcome>(answering(promise)));
  if (!admitted) return promise;
  auto to = answering_with<remote_outcome>(std::move(*admitted));
  if (auto over = over_budget()) {
    to(std::move(*over));
    return promise;
  }
  if (!evaluates_now) {
    enter_preview(std::move(what), may_propose, std::move(to));
    return promise;
  }
  auto caller = what.caller.empty() ? what.source.author : what.caller;
  if (auto full = no_room_for_turn(caller, what.text.size())) {
    to(std::move(*full));
    return promise;
  }
  turns_.push_of_client(remote_turn{std::move(what), std::move(to)}, std::move(caller));
  next_turn();
  return promise;
}

caf::result<remote_outcome> session_actor_state::preview(remote_evaluation what) {
  if (stopping_) return closing();
  if (auto refusal = refusal_of_text(what.text)) return std::move(*refusal);
  auto promise = self_->make_response_promise<remote_outcome>();
  enter_preview(std::move(what), false, answering(promise));
  return promise;
}

// --- previews and proposals ----------------------------------------------------------------------

void session_actor_state::enter_preview(remote_evaluation what, bool may_propose,
                                        answer_remote to) {
  auto caller = what.caller.empty() ? what.source.author : what.caller;
  auto own = previews_.size_of(caller);
  if (own >= limits_.previews_waiting) return to(busy("too many of your evaluations are queued"));
  if ((own > 0 && previews_.size() >= 4 * limits_.previews_waiting) ||
      no_room_for_text(what.text.size()))
    return to(busy("too many evaluations by clients are queued"));
  previews_.push({std::move(what), may_propose, std::move(to), std::move(caller)});
  next_preview();
}

void session_actor_state::next_preview() {
  for (std::uint32_t lane = 0; lane < preview_lane_count; ++lane)
    while (!preview_lanes_[lane].job) {
      auto job = previews_.take(lane);
      if (!job) break;
      begin_preview(lane, std::move(*job));
    }
}

void session_actor_state::begin_preview(std::uint32_t lane, preview_job job) {
  auto base = writer_->shown();
  if (is_set(job.what.cancelled)) {
    previews_.done(job.caller);
    return job.answer(to_problem(given_up().error(), job.what.text));
  }
  if (job.what.expected_revision && *job.what.expected_revision != base->revision) {
    previews_.done(job.caller);
    return job.answer(conflict(*job.what.expected_revision, base->revision));
  }
  evaluation_job work;
  work.request = request_for(job.what.text, base);
  work.request.rule = rule_of_proposals(*base);
  work.cancelled = job.what.cancelled;
  work.memory = limits_.memory;
  work.wall_time = limits_.remote_wall_time;
  if (previews_.may_be_put_back(job))
    work.wall_time = std::min(work.wall_time, limits_.preview_slices.at(job.level));
  constexpr work_kind kinds[] = {work_kind::first_preview, work_kind::second_preview,
                                 work_kind::whole_preview};
  work.kind = kinds[std::min(job.level, std::size(kinds) - 1)];
  auto& in = preview_lanes_[lane];
  in.job = std::move(job);
  if (!in.worker)
    in.worker = std::make_unique<evaluation_lane>(self_, lane + 1, evaluate_, workers_,
                                                  [this](auto& reason) { evaluator_died(reason); });
  in.worker->start(std::move(work), [this, lane, base](caf::expected<evaluation_outcome> outcome) {
    previewed(lane, base, std::move(outcome));
  });
}

void session_actor_state::previewed(std::uint32_t lane, session_snapshot base,
                                    caf::expected<evaluation_outcome> outcome) {
  auto job = std::move(*preview_lanes_[lane].job);
  preview_lanes_[lane].job.reset();
  if (outcome && outcome->out_of_time && previews_.may_be_put_back(job)) {
    previews_.demote(std::move(job));
    return next_preview();
  }
  previews_.done(job.caller);
  next_preview();
  if (!outcome) return job.answer(std::move(outcome.error()));
  if (!outcome->what) return job.answer(to_problem(outcome->what.error(), job.what.text));
  auto& e = *outcome->what;
  if (is_only_comment(e)) return job.answer(nothing_to_evaluate());
  remote_outcome answer;
  answer.output_text = outcome->printed ? std::move(*outcome->printed) : output_text(e);
  answer.delta_summary = change_summary(e.delta, difference(*base->env, *e.env));
  answer.remarks = e.remarks;
  answer.revision = base->revision;
  if (job.what.always_propose && job.may_propose && !changes_something(*base->env, e))
    return job.answer(make_problem(
        problem::invalid_params, "the expression changes nothing, so there is nothing to propose",
        (answer.output_text.empty() ? "" : "It evaluates to " + answer.output_text + ". ") +
            "Propose notation, an edit, a definition, or (add X) to enter music that is "
            "computed."));
  // What changes nothing needs nobody's consent.
  if (!job.may_propose || !changes_something(*base->env, e)) return job.answer(std::move(answer));
  if (is_only_read()) return job.answer(only_read());
  auto& planned = *writer_->planned();
  // The musician may have said `:ai off` meanwhile.
  if (auto policy = policy_for(planned, job.what.source.author); policy == remote_policy::deny)
    return job.answer(not_permitted(policy, job.what.source));
  auto open = std::count_if(planned.proposals.begin(), planned.proposals.end(),
                            [](auto& p) { return p.state == proposal::state_t::open; });
  if (static_cast<std::size_t>(open) >= limits_.open_proposals)
    return job.answer(
        busy("the user has not yet decided on " + std::to_string(open) + " open proposals"));
  answer.proposal = planned.next_proposal;
  auto seen = job.what.expected_revision.value_or(base->revision);
  auto made =
      proposed(*base, planned.next_proposal, job.what.text, job.what.source, seen, e, now_());
  if (!job.what.idempotency_key.empty()) {
    auto kept = request_of(job.what).to_be_kept();
    kept.proposal = answer.proposal;
    kept.output_text = answer.output_text;
    kept.delta_summary = answer.delta_summary;
    kept.revision = answer.revision;
    kept.changed = answer.changed;
    made.events.push_back(answer_given{std::move(kept)});
  }
  if (auto bytes = journal_bytes(made); bytes > limits_.client_line_bytes)
    return job.answer(too_much_at_once(bytes, limits_.client_line_bytes));
  writer_->write({std::move(made)},
                 [reply = std::move(job.answer), answer](caf::expected<session_snapshot> written) {
                   if (written)
                     reply(answer);
                   else
                     reply(std::move(written.error()));
                 });
}

}  // namespace fermata::actors
