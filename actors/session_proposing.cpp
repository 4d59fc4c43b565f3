// What clients evaluate: previews, proposals, and what was answered to the same request before.

#include "actors/session.hpp"
#include "actors/session_answers.hpp"
#include "core/session/classify.hpp"
#include "core/session/decide.hpp"
#include "core/session/score_text.hpp"

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
      return make_problem(problem::not_permitted, "colon commands are the musician's",
                          "Evaluate an expression instead.");
    case input_kind::chat:
      return make_problem(problem::not_permitted, "only the musician writes // words",
                          "Use send_message.");
  }
  return make_problem(problem::internal, "input of no kind");
}

/// What the same client was answered under the same key, perhaps before a restart; null: nothing.
const kept_answer* answered_before(const session_state& s, const remote_evaluation& what) {
  if (what.idempotency_key.empty() || !s.answers) return nullptr;
  auto is_same = [&](auto& a) {
    return a.author == what.source.author && a.key == what.idempotency_key;
  };
  auto found = std::find_if(s.answers->begin(), s.answers->end(), is_same);
  return found == s.answers->end() ? nullptr : &*found;
}

/// The same answer once more. `entry`: what it made in the timeline, or null.
caf::expected<remote_outcome> same_answer(const kept_answer& before, const entry_ptr& entry) {
  if (entry) {
    auto eval = std::get_if<eval_entry>(&entry->kind);
    if (!eval)
      return make_problem(problem::failed,
                          "this was done already, as entry " + std::to_string(*before.entry) +
                              ", which cannot be read any more",
                          "It is not done again. get_score says what there is.");
    if (eval->failure) return to_problem(*eval->failure, eval->text);
  }
  remote_outcome outcome;
  outcome.entry = entry;
  outcome.proposal = before.proposal;
  outcome.output_text = before.output_text;
  outcome.delta_summary = before.delta_summary;
  outcome.revision = before.revision;
  outcome.changed = before.changed;
  return outcome;
}

}  // namespace

caf::result<remote_outcome> session_actor_state::propose(remote_evaluation what) {
  if (stopping_) return closing();
  auto policy = policy_for(*writer_->planned(), what.source.author);
  if (policy == remote_policy::deny) return not_permitted(policy, what.source);
  if (auto refusal = refusal_of_text(what.text)) return std::move(*refusal);
  if (auto before = answered_before(*writer_->planned(), what)) return answer_again(*before, what);
  if (policy != remote_policy::allow || what.always_propose || is_only_read())
    return enter_preview(std::move(what), policy != remote_policy::preview);
  if (turns_are_full()) return busy("too many evaluations wait for this session");
  auto promise = self_->make_response_promise<remote_outcome>();
  if (auto answer = answers_.admit(key_of(what.source, what.idempotency_key), what.text,
                                   answering(promise))) {
    turns_.push_back(remote_turn{std::move(what), std::move(*answer)});
    next_turn();
  }
  return promise;
}

caf::result<remote_outcome> session_actor_state::preview(remote_evaluation what) {
  if (stopping_) return closing();
  if (auto refusal = refusal_of_text(what.text)) return std::move(*refusal);
  return enter_preview(std::move(what), false);
}

// --- the same request again ----------------------------------------------------------------------

caf::result<remote_outcome> session_actor_state::answer_again(const kept_answer& before,
                                                              const remote_evaluation& what) {
  if (!before.text.empty() && before.text != what.text) return key_of_another_request();
  auto& timeline = writer_->planned()->history;
  auto promise = self_->make_response_promise<remote_outcome>();
  auto to = answering(promise);
  if (before.entry && timeline.is_on_disk(*before.entry))
    read_for(before, key_of(what.source, what.idempotency_key), to);
  else
    to(same_answer(before, before.entry ? timeline.at(*before.entry) : nullptr));
  return promise;
}

/// Reading blocks: a clerk does it, once for however many ask meanwhile with the same key, and goes
/// when nobody waits any more.
void session_actor_state::read_for(const kept_answer& before, const std::string& key,
                                   answer_remote to) {
  if (remembering_.size() >= limits_.previews_waiting)
    return to(busy("too many answers are looked up on the disk"));
  auto answer = answers_.admit(key, before.text, std::move(to));
  if (!answer) return;
  auto number = next_remembering_++;
  remembering_.emplace(number, std::move(*answer));
  if (!clerk_)
    clerk_ = detached_ ? self_->spawn<caf::detached>(file_clerk) : self_->spawn(file_clerk);
  auto found = std::make_shared<entry_ptr>();
  file_job reading{[found, timeline = writer_->planned()->history, index = *before.entry] {
    *found = timeline.at(index);
    return result<void>{};
  }};
  self_->request(clerk_, caf::infinite, std::move(reading))
      .then([this, number, before, found] { entry_read(number, before, *found); },
            [this, number, before](caf::error& reason) {
              entry_read(number, before, std::move(reason));
            });
}

void session_actor_state::entry_read(std::uint64_t number, const kept_answer& before,
                                     caf::expected<entry_ptr> entry) {
  auto waiting = remembering_.extract(number);
  if (remembering_.empty()) clerk_ = nullptr;
  if (waiting.empty()) return;  // the session ends, and has said so
  waiting.mapped()(entry ? same_answer(before, *entry)
                         : caf::expected<remote_outcome>{std::move(entry.error())});
}

// --- previews and proposals ----------------------------------------------------------------------

caf::result<remote_outcome> session_actor_state::enter_preview(remote_evaluation what,
                                                               bool may_propose) {
  auto caller = what.caller.empty() ? what.source.author : what.caller;
  auto own = previews_.size_of(caller);
  if (own >= limits_.previews_waiting) return busy("too many evaluations of yours wait");
  if (own > 0 && previews_.size() >= 4 * limits_.previews_waiting)
    return busy("too many evaluations of clients wait");
  auto promise = self_->make_response_promise<remote_outcome>();
  auto key = may_propose ? key_of(what.source, what.idempotency_key) : "";
  if (auto answer = answers_.admit(key, what.text, answering(promise))) {
    previews_.push({std::move(what), may_propose, std::move(*answer), std::move(caller)});
    next_preview();
  }
  return promise;
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
  // The musician tries things out by `:scratch`; what is laid before him to decide on is meant.
  work.request.env = with_scratch(work.request.env, false);
  work.cancelled = job.what.cancelled;
  work.wall_time = limits_.remote_wall_time;
  if (previews_.may_be_put_back(job))
    work.wall_time = std::min(work.wall_time, limits_.preview_slices.at(job.level));
  auto& in = preview_lanes_[lane];
  in.job = std::move(job);
  if (!in.worker)
    in.worker = std::make_unique<evaluation_lane>(self_, lane + 1, evaluate_, detached_,
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
    previews_.put_back(std::move(job));
    return next_preview();
  }
  previews_.done(job.caller);
  next_preview();
  if (!outcome) return job.answer(std::move(outcome.error()));
  if (!outcome->what) return job.answer(to_problem(outcome->what.error(), job.what.text));
  auto& e = *outcome->what;
  if (is_only_comment(e)) return job.answer(nothing_to_evaluate());
  e.env = with_scratch(e.env, base->env->scratch);
  remote_outcome answer;
  answer.output_text = output_text(e);
  answer.delta_summary = change_summary(e.delta, difference(*base->env, *e.env));
  answer.revision = base->revision;
  if (job.what.always_propose && job.may_propose && !changes_something(*base->env, e))
    return job.answer(make_problem(
        problem::invalid_params, "it changes nothing, so there is nothing to propose",
        (answer.output_text.empty() ? "" : "It evaluates to " + answer.output_text + ". ") +
            "Propose an expression that changes the score or a name."));
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
    return job.answer(busy("the musician has not decided on the " + std::to_string(open) +
                           " proposals that wait"));
  answer.proposal = planned.next_proposal;
  auto seen = job.what.expected_revision.value_or(base->revision);
  auto made =
      proposed(*base, planned.next_proposal, job.what.text, job.what.source, seen, e, now_());
  if (!job.what.idempotency_key.empty())
    made.events.push_back(
        answer_given{{job.what.source.author, job.what.idempotency_key, answer.proposal,
                      std::nullopt, answer.output_text, answer.delta_summary, answer.revision,
                      answer.changed, job.what.text}});
  writer_->write({std::move(made)},
                 [reply = std::move(job.answer), answer](caf::expected<session_snapshot> written) {
                   if (written)
                     reply(answer);
                   else
                     reply(std::move(written.error()));
                 });
}

}  // namespace fermata::actors
