#include "actors/session/client_previews.hpp"

#include "actors/session/session_answers.hpp"
#include "core/session/timeline/decide.hpp"
#include "core/session/timeline/score_text.hpp"

#include <algorithm>
#include <utility>

namespace fermata::actors {

/// A proposal is another request than an evaluation that may be committed at once.
keyed_request request_of(const remote_evaluation& what) {
  return {what.source, what.idempotency_key, what.always_propose ? "propose" : "eval", what.text,
          what.expected_revision};
}

std::size_t client_previews::bytes() const {
  return queue_.total([](auto& j) { return j.what.text.size(); });
}

bool client_previews::is_idle() const {
  return queue_.size() == 0 &&
         std::all_of(lanes_.begin(), lanes_.end(), [](auto& lane) { return !lane.running; });
}

void client_previews::worker_down(const caf::down_msg& msg) {
  for (auto& lane : lanes_)
    if (lane.worker) lane.worker->worker_down(msg);
}

void client_previews::shut_down() {
  for (auto& lane : lanes_)
    if (lane.worker) lane.worker->shut_down();
}

void client_previews::answer_all(const caf::error& reason) {
  for (auto& lane : lanes_)
    if (auto j = std::exchange(lane.running, std::nullopt)) j->answer(reason);
  for (auto& waiting : queue_.take_all())
    waiting.answer(reason);
}

void client_previews::enter(remote_evaluation what, bool may_propose, std::size_t turn_bytes,
                            answer_remote to) {
  auto caller = what.caller.empty() ? what.source.author : what.caller;
  auto& limits = core_.limits;
  auto own = queue_.size_of(caller);
  if (own >= limits.previews_waiting) return to(busy("too many of your evaluations are queued"));
  auto waiting = turn_bytes + bytes();
  auto has_room = waiting == 0 || waiting + what.text.size() <= limits.waiting_bytes;
  if ((own > 0 && queue_.size() >= 4 * limits.previews_waiting) || !has_room)
    return to(busy("too many evaluations by clients are queued"));
  queue_.push({std::move(what), may_propose, std::move(to), std::move(caller)});
  start_next();
}

void client_previews::start_next() {
  for (std::size_t lane = 0; lane < lanes_.size(); ++lane)
    while (!lanes_[lane].running) {
      auto next = queue_.take(lane);
      if (!next) break;
      begin(lane, std::move(*next));
    }
}

void client_previews::begin(std::size_t number, job j) {
  auto base = core_.shown();
  if (is_set(j.what.cancelled)) {
    queue_.done(j.caller);
    return j.answer(to_problem(interrupted_evaluation().error(), j.what.text));
  }
  if (j.what.expected_revision && *j.what.expected_revision != base->revision) {
    queue_.done(j.caller);
    return j.answer(conflict(*j.what.expected_revision, base->revision));
  }
  evaluation_job work;
  work.request = core_.request_for(j.what.text, base);
  work.request.rule = rule_of_proposals(*base);
  work.cancelled = j.what.cancelled;
  work.memory = core_.limits.memory;
  work.wall_time = core_.limits.remote_wall_time;
  if (queue_.can_demote(j))
    work.wall_time = std::min(work.wall_time, core_.limits.preview_slices.at(j.level));
  constexpr work_kind kinds[] = {work_kind::first_preview, work_kind::second_preview,
                                 work_kind::whole_preview};
  work.kind = kinds[std::min(j.level, std::size(kinds) - 1)];
  auto& in = lanes_[number];
  in.running = std::move(j);
  if (!in.worker)
    in.worker = std::make_unique<evaluation_lane>(
        core_.self, first_lane_ + static_cast<std::uint32_t>(number), core_.evaluate, core_.workers,
        [this](auto& reason) { core_.evaluator_died(reason); });
  in.worker->start(std::move(work),
                   [this, number, base](caf::expected<evaluation_outcome> outcome) {
                     finish(number, base, std::move(outcome));
                   });
}

void client_previews::finish(std::size_t number, const session_snapshot& base,
                             caf::expected<evaluation_outcome> outcome) {
  auto j = std::move(*lanes_[number].running);
  lanes_[number].running.reset();
  if (outcome && outcome->out_of_time && queue_.can_demote(j)) {
    queue_.demote(std::move(j));
    return start_next();
  }
  queue_.done(j.caller);
  start_next();
  if (!outcome) return j.answer(std::move(outcome.error()));
  if (!outcome->what) return j.answer(to_problem(outcome->what.error(), j.what.text));
  auto& e = *outcome->what;
  if (is_only_comment(e)) return j.answer(nothing_to_evaluate());
  remote_outcome answer;
  answer.output_text = outcome->printed ? std::move(*outcome->printed) : output_text(e);
  answer.delta_summary = change_summary(e.delta, difference(*base->env, *e.env));
  answer.remarks = e.remarks;
  answer.revision = base->revision;
  if (j.what.always_propose && j.may_propose && !changes_something(*base->env, e))
    return j.answer(make_problem(
        problem::invalid_params, "the expression changes nothing, so there is nothing to propose",
        (answer.output_text.empty() ? "" : "It evaluates to " + answer.output_text + ". ") +
            "Propose notation, an edit, a definition, or (add X) to enter music that is "
            "computed."));
  // What changes nothing needs nobody's consent.
  if (!j.may_propose || !changes_something(*base->env, e)) return j.answer(std::move(answer));
  propose(std::move(j), base, e, std::move(answer));
}

void client_previews::propose(job j, const session_snapshot& base, const evaluation& e,
                              remote_outcome answer) {
  if (core_.is_read_only()) return j.answer(core_.read_only_error());
  auto& planned = core_.planned();
  // The user may have said `:ai off` meanwhile.
  if (auto policy = policy_for(planned, j.what.source.author); policy == remote_policy::deny)
    return j.answer(not_permitted(policy, j.what.source));
  auto open = std::count_if(planned.proposals.begin(), planned.proposals.end(),
                            [](auto& p) { return p.state == proposal::state_t::open; });
  if (static_cast<std::size_t>(open) >= core_.limits.open_proposals)
    return j.answer(
        busy("the user has not yet decided on " + std::to_string(open) + " open proposals"));
  answer.proposal = planned.next_proposal;
  auto seen = j.what.expected_revision.value_or(base->revision);
  auto made =
      proposed(*base, planned.next_proposal, j.what.text, j.what.source, seen, e, core_.now());
  if (!j.what.idempotency_key.empty()) {
    auto kept = request_of(j.what).to_be_kept();
    kept.proposal = answer.proposal;
    kept.output_text = answer.output_text;
    kept.delta_summary = answer.delta_summary;
    kept.revision = answer.revision;
    kept.changed = answer.changed;
    made.events.push_back(answer_given{std::move(kept)});
  }
  if (auto bytes = journal_bytes(made); bytes > core_.limits.client_line_bytes)
    return j.answer(too_much_at_once(bytes, core_.limits.client_line_bytes));
  core_.writer->write({std::move(made)},
                      [reply = std::move(j.answer), answer](caf::expected<session_snapshot> after) {
                        if (after)
                          reply(answer);
                        else
                          reply(std::move(after.error()));
                      });
}

}  // namespace fermata::actors
