#include "actors/session.hpp"

#include "actors/guarded.hpp"
#include "core/session/classify.hpp"
#include "core/session/decide.hpp"
#include "core/session/score_text.hpp"
#include "messages/errors.hpp"

#include <algorithm>
#include <utility>

namespace fermata::actors {

namespace {

constexpr std::uint32_t turn_lane_number = 0, preview_lane_number = 1;

caf::error busy(std::string what) {
  problem_detail detail;
  detail.message = std::move(what);
  detail.advice = "Try again a little later.";
  detail.retry_after_ms = 200;
  return make_problem(problem::busy, std::move(detail));
}

caf::error closing() {
  return make_problem(problem::invalid_state, "the session is closing",
                      "Open it again and repeat the request.");
}

/// Doors through which the musician speaks. Everybody else is a client.
bool is_musician(const entry_source& source) {
  return source.door == "terminal" || source.door == "script" || source.door == "system";
}

/// Keys of different clients are different; an empty one is none.
std::string key_of(const entry_source& source, const std::string& key) {
  return key.empty() ? "" : source.author + '\n' + key;
}

caf::error not_permitted(remote_policy p, const entry_source& source) {
  return make_problem(problem::not_permitted,
                      "the policy for " + source.author + " is `" + std::string{to_string(p)} + "`",
                      "The musician can change it with `:ai allow " + source.author + "`.");
}

/// Clients evaluate expressions; commands and the musician's own words are not theirs.
std::optional<caf::error> refusal_of_text(const std::string& text) {
  switch (classify(text).kind) {
    case input_kind::expression: return std::nullopt;
    case input_kind::empty:
      return make_problem(problem::invalid_params, "there is nothing to evaluate",
                          "Give an expression, such as (note c4 :q).");
    case input_kind::command:
      return make_problem(problem::not_permitted, "colon commands are the musician's",
                          "Evaluate an expression instead.");
    case input_kind::chat:
      return make_problem(problem::not_permitted, "only the musician writes // words",
                          "Use send_message.");
  }
  return make_problem(problem::internal, "input of no kind");
}

/// What the same client was answered under the same key, perhaps before a restart.
std::optional<caf::result<remote_outcome>> answered_before(const session_state& s,
                                                           const remote_evaluation& what) {
  if (what.idempotency_key.empty() || !s.answers) return std::nullopt;
  for (auto& a : *s.answers) {
    if (a.author != what.source.author || a.key != what.idempotency_key) continue;
    remote_outcome outcome;
    outcome.proposal = a.proposal;
    outcome.output_text = a.output_text;
    outcome.delta_summary = a.delta_summary;
    outcome.revision = a.revision;
    outcome.changed = a.changed;
    if (a.entry) outcome.entry = s.history.at(*a.entry);
    if (outcome.entry)
      if (auto eval = std::get_if<eval_entry>(&outcome.entry->kind); eval && eval->failure)
        return to_problem(*eval->failure, eval->text);
    return outcome;
  }
  return std::nullopt;
}

/// The caller of an asynchronous answer.
template <class T>
std::function<void(caf::expected<T>)> answering(caf::typed_response_promise<T> promise) {
  return [promise](caf::expected<T> answer) mutable {
    if (answer)
      promise.deliver(std::move(*answer));
    else
      promise.deliver(std::move(answer.error()));
  };
}

/// Answers a request for something to be done.
void settle(caf::response_promise& promise, caf::error failed) {
  if (failed)
    promise.deliver(std::move(failed));
  else
    promise.deliver(caf::unit);
}

/// What `$In` and `$Out` see of a timeline.
std::optional<history_value> value_of_entry(const history& h, std::int64_t index) {
  auto entry = h.at(index);
  auto eval = entry ? std::get_if<eval_entry>(&entry->kind) : nullptr;
  if (!eval) return std::nullopt;
  return history_value{eval->input, eval->output};
}

}  // namespace

session_actor_state::session_actor_state(pointer self) : self_(self) {}

session_actor_state::~session_actor_state() { answer_everybody(closing()); }

void session_actor_state::start(session_setup setup) {
  limits_ = setup.limits;
  now_ = std::move(setup.now);
  other_sessions_ = std::move(setup.other_sessions);
  publish_ = std::move(setup.publish);
  manager_ = setup.manager;
  unkept_ = std::move(setup.unkept);
  detached_ = setup.detached;
  checkpointed_ = setup.state->history.size();
  observers_.emplace(self_);
  writer_.emplace(self_, setup.state, setup.store, [this](auto& batch) { shown(batch); });
  if (setup.loader) writer_->keep_in_memory(limits_.entries_in_memory, setup.loader);
  auto died = [this](const caf::error& reason) {
    note("evaluator-restarted",
         "An evaluator ended (" + caf::to_string(reason) + ") and was started again.");
  };
  turn_lane_.emplace(self_, turn_lane_number, setup.evaluate, setup.detached, died);
  preview_lane_.emplace(self_, preview_lane_number, setup.evaluate, setup.detached, died);
  if (publish_) publish_(setup.state);
}

// --- verbs ---------------------------------------------------------------------------------------

caf::result<turn> session_actor_state::submit(submission line) {
  if (stopping_) return closing();
  if (!is_musician(line.source))
    return make_problem(problem::not_permitted, "only the musician submits lines",
                        "Clients propose evaluations, preview them and send messages.");
  if (turns_are_full()) return busy("too many lines wait for this session");
  auto promise = self_->make_response_promise<turn>();
  auto shows_waiting = !line.preview;
  turns_.push_back(line_turn{std::move(line), shows_waiting, answering(promise)});
  next_turn();
  return promise;
}

caf::result<turn> session_actor_state::undo(remote_undo what) {
  auto& planned = *writer_->planned();
  auto policy = policy_for(planned, what.source.author);
  if (!is_musician(what.source) && policy != remote_policy::allow)
    return make_problem(problem::not_permitted,
                        "the policy for " + what.source.author + " is `" +
                            std::string{to_string(policy)} + "`; taking back needs `allow`",
                        "Propose the inverse change, or ask the musician to undo.");
  if (what.count < 1)
    return make_problem(problem::out_of_range,
                        "the number of steps is " + std::to_string(what.count), "It starts at 1.");
  if (stopping_) return closing();
  if (turns_are_full()) return busy("too many lines wait for this session");
  auto promise = self_->make_response_promise<turn>();
  auto answer = undone_.admit(key_of(what.source, what.idempotency_key), answering(promise));
  if (!answer) return promise;
  // What stands before it in the line may change the score: the revision is looked at in its turn.
  submission line{":undo " + std::to_string(what.count), what.source, nullptr, false};
  turns_.push_back(line_turn{std::move(line), is_musician(what.source), std::move(*answer),
                             what.expected_revision});
  next_turn();
  return promise;
}

caf::result<turn> session_actor_state::resolve(proposal_answer what) {
  if (stopping_) return closing();
  auto& planned = *writer_->planned();
  if (auto policy = policy_for(planned, what.source.author); policy == remote_policy::deny)
    return not_permitted(policy, what.source);
  auto found = std::find_if(planned.proposals.begin(), planned.proposals.end(),
                            [&](auto& p) { return p.number == what.number; });
  auto name = "proposal " + std::to_string(what.number);
  if (found == planned.proposals.end())
    return make_problem(problem::not_found, "there is no " + name,
                        "get_session lists the open ones.");
  if (found->source != what.source)
    return make_problem(problem::not_permitted, name + " was made by " + found->source.author,
                        "Whoever made it may ask; the musician decides at the prompt.");
  if (found->state != proposal::state_t::open)
    return make_problem(problem::invalid_state, name + " is decided already",
                        "get_history says how.");
  if (turns_are_full()) return busy("too many lines wait for this session");
  auto promise = self_->make_response_promise<turn>();
  submission line{(what.accept ? ":accept " : ":reject ") + std::to_string(what.number),
                  what.source, nullptr, false};
  turns_.push_back(line_turn{std::move(line), false, answering(promise)});
  next_turn();
  return promise;
}

caf::result<message_receipt> session_actor_state::enqueue(incoming_message message) {
  if (stopping_) return closing();
  auto& planned = *writer_->planned();
  if (message.content.empty())
    return make_problem(problem::invalid_params, "the message is empty", "Give it some content.");
  if (message.content.size() > limits_.message_bytes)
    return make_problem(problem::out_of_range,
                        "the message has " + std::to_string(message.content.size()) +
                            " bytes; at most " + std::to_string(limits_.message_bytes) +
                            " are allowed",
                        "Send it in several parts.");
  auto promise = self_->make_response_promise<message_receipt>();
  auto answer =
      receipts_.admit(key_of(message.source, message.idempotency_key), answering(promise));
  if (!answer) return promise;
  if (planned.queue.size() >= limits_.messages_waiting) {
    (*answer)(busy("the musician has not read the " + std::to_string(planned.queue.size()) +
                   " messages that wait"));
    return promise;
  }
  message_receipt receipt{planned.next_ticket, planned.queue.size() + 1};
  writer_->write({queued(planned, std::move(message.content), message.source, now_())},
                 [answer = std::move(*answer), receipt](caf::expected<session_snapshot> written) {
                   if (written)
                     answer(receipt);
                   else
                     answer(std::move(written.error()));
                 });
  return promise;
}

caf::result<remote_outcome> session_actor_state::propose(remote_evaluation what) {
  if (stopping_) return closing();
  auto policy = policy_for(*writer_->planned(), what.source.author);
  if (policy == remote_policy::deny) return not_permitted(policy, what.source);
  if (auto refusal = refusal_of_text(what.text)) return std::move(*refusal);
  if (auto before = answered_before(*writer_->planned(), what)) return std::move(*before);
  if (policy != remote_policy::allow || what.always_propose)
    return enter_preview(std::move(what), policy != remote_policy::preview);
  if (turns_are_full()) return busy("too many evaluations wait for this session");
  auto promise = self_->make_response_promise<remote_outcome>();
  if (auto answer = answers_.admit(key_of(what.source, what.idempotency_key), answering(promise))) {
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

session_snapshot session_actor_state::observe(const caf::actor& who) {
  observers_->add(who);
  return writer_->shown();
}

caf::error session_actor_state::not_kept() const {
  return make_problem(problem::failed,
                      "what happens here is kept in memory only, since nothing can be written (" +
                          unkept_ + ')',
                      "It goes with the end of the program.");
}

caf::result<void> session_actor_state::flush() {
  if (!unkept_.empty()) return not_kept();
  auto promise = self_->make_response_promise<void>();
  writer_->flush([promise](caf::error failed) mutable { settle(promise, std::move(failed)); });
  return promise;
}

caf::result<void> session_actor_state::stop() {
  auto promise = self_->make_response_promise<void>();
  stopping_ = true;
  // A turn that is being written already is answered when it is; nothing else can be done any more.
  std::unique_ptr<running_turn> written_soon;
  if (running_ && running_->writing) written_soon = std::move(running_);
  turn_lane_->shut_down();
  preview_lane_->shut_down();
  answer_everybody(closing());
  running_ = std::move(written_soon);
  auto done = [this, promise](caf::error failed) mutable {
    settle(promise, std::move(failed));
    self_->quit();
  };
  // The store works in order: what is on its way is written before the flush is answered.
  writer_->checkpoint([this, done](caf::error failed) mutable {
    if (failed)
      done(std::move(failed));
    else
      writer_->flush(done);
  });
  return promise;
}

void session_actor_state::note(std::string what, std::string text) {
  if (stopping_) return;
  turns_.push_back(note_turn{std::move(what), std::move(text)});
  next_turn();
}

void session_actor_state::restarted(std::uint32_t lane) {
  (lane == turn_lane_number ? *turn_lane_ : *preview_lane_).restarted();
}

void session_actor_state::down(const caf::down_msg& msg) {
  turn_lane_->worker_down(msg);
  preview_lane_->worker_down(msg);
  observers_->down(msg);
}

void session_actor_state::answer_everybody(const caf::error& reason) {
  auto running = std::move(running_);
  auto turns = std::move(turns_);
  turns_.clear();
  // Whoever reads for one of these need not go on.
  if (running && running->interrupted) running->interrupted->store(true);
  for (auto& [number, looking] : std::exchange(aside_, {})) {
    looking->interrupted->store(true);
    turns.push_back(std::move(looking->kind));
  }
  for (auto& found : std::exchange(resuming_, {}))
    turns.push_back(std::move(found.turn->kind));
  if (running) turns.push_front(std::move(running->kind));
  for (auto& waiting : turns) {
    if (auto line = std::get_if<line_turn>(&waiting); line && line->answer)
      line->answer(reason);
    else if (auto remote = std::get_if<remote_turn>(&waiting); remote && remote->answer)
      remote->answer(reason);
  }
  if (previewing_) previewing_->answer(reason);
  previewing_.reset();
  for (auto& waiting : previews_)
    waiting.answer(reason);
  previews_.clear();
}

// --- what became visible -------------------------------------------------------------------------

void session_actor_state::shown(const journal_batch& batch) {
  session_event e;
  e.session = batch.after->meta.slug;
  e.after = batch.after;
  transition together;
  for (auto& t : batch.transitions) {
    if (auto entry = entry_of(t)) {
      e.entries.push_back(entry);
      if (running_) running_->entries.push_back(entry);
    }
    together.events.insert(together.events.end(), t.events.begin(), t.events.end());
  }
  e.what = kinds_of(together);
  if (publish_) publish_(batch.after);
  observers_->tell(std::move(e));
  checkpoint_when_due();
}

void session_actor_state::checkpoint_when_due() {
  auto size = writer_->shown()->history.size();
  if (stopping_ || size - checkpointed_ < limits_.entries_between_checkpoints) return;
  checkpointed_ = size;
  writer_->checkpoint_when_due([this](caf::error failed) {
    if (failed)
      note("checkpoint-failed", "The score could not be saved as a file of its own: " +
                                    detail_of(failed).message + " The journal has everything.");
  });
}

evaluation_request session_actor_state::request_for(std::string text, session_snapshot on) const {
  evaluation_request request;
  request.text = std::move(text);
  request.env = on->env;
  request.score = on->score;
  request.next_index = on->history.next_index();
  request.commit = !on->env->scratch;
  request.history = [on,
                     others = other_sessions_](std::string_view session,
                                               std::int64_t index) -> std::optional<history_value> {
    if (session.empty() || session == on->meta.slug) return value_of_entry(on->history, index);
    return others ? others(session, index) : std::nullopt;
  };
  return request;
}

// --- previews and proposals ----------------------------------------------------------------------

caf::result<remote_outcome> session_actor_state::enter_preview(remote_evaluation what,
                                                               bool may_propose) {
  if (previews_.size() >= limits_.previews_waiting)
    return busy("too many evaluations of clients wait");
  auto promise = self_->make_response_promise<remote_outcome>();
  auto key = may_propose ? key_of(what.source, what.idempotency_key) : "";
  if (auto answer = answers_.admit(key, answering(promise))) {
    previews_.push_back({std::move(what), may_propose, std::move(*answer)});
    next_preview();
  }
  return promise;
}

void session_actor_state::next_preview() {
  while (!previewing_ && !previews_.empty()) {
    auto job = std::move(previews_.front());
    previews_.pop_front();
    auto base = writer_->shown();
    if (job.what.expected_revision && *job.what.expected_revision != base->revision) {
      job.answer(conflict(*job.what.expected_revision, base->revision));
      continue;
    }
    previewing_ = std::move(job);
    evaluation_job work;
    work.request = request_for(previewing_->what.text, base);
    work.cancelled = previewing_->what.cancelled;
    work.wall_time = limits_.remote_wall_time;
    preview_lane_->start(std::move(work), [this, base](caf::expected<evaluation_outcome> outcome) {
      previewed(base, std::move(outcome));
    });
  }
}

void session_actor_state::previewed(session_snapshot base,
                                    caf::expected<evaluation_outcome> outcome) {
  auto job = std::move(*previewing_);
  previewing_.reset();
  next_preview();
  if (!outcome) return job.answer(std::move(outcome.error()));
  if (!outcome->what) return job.answer(to_problem(outcome->what.error(), job.what.text));
  auto& e = *outcome->what;
  remote_outcome answer;
  answer.output_text = output_text(e);
  answer.delta_summary = change_summary(e.delta, difference(*base->env, *e.env));
  answer.revision = base->revision;
  if (job.what.always_propose && job.may_propose && !changes_something(*base->env, e))
    return job.answer(
        make_problem(problem::invalid_params, "it changes nothing, so there is nothing to propose",
                     "It evaluates to " + answer.output_text +
                         ". Propose an expression that changes the score or a name."));
  // What changes nothing needs nobody's consent.
  if (!job.may_propose || !changes_something(*base->env, e)) return job.answer(std::move(answer));
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
    made.events.push_back(answer_given{{job.what.source.author, job.what.idempotency_key,
                                        answer.proposal, std::nullopt, answer.output_text,
                                        answer.delta_summary, answer.revision, answer.changed}});
  writer_->write({std::move(made)},
                 [reply = std::move(job.answer), answer](caf::expected<session_snapshot> written) {
                   if (written)
                     reply(answer);
                   else
                     reply(std::move(written.error()));
                 });
}

// --- behaviour -----------------------------------------------------------------------------------

session_actor::behavior_type session(session_actor_state::pointer self, session_setup setup) {
  auto& st = self->state;
  set_quiet_handlers(self);
  self->set_down_handler([&st](caf::down_msg& msg) { st.down(msg); });
  st.start(std::move(setup));
  return {
      [&st](atom::submit, submission& line) {
        return guarded<turn>([&] { return st.submit(std::move(line)); });
      },
      [&st](atom::snapshot) { return st.snapshot(); },
      [&st](atom::enqueue, incoming_message& message) {
        return guarded<message_receipt>([&] { return st.enqueue(std::move(message)); });
      },
      [&st](atom::propose, remote_evaluation& what) {
        return guarded<remote_outcome>([&] { return st.propose(std::move(what)); });
      },
      [&st](atom::preview, remote_evaluation& what) {
        return guarded<remote_outcome>([&] { return st.preview(std::move(what)); });
      },
      [&st](atom::undo, remote_undo& what) {
        return guarded<turn>([&] { return st.undo(std::move(what)); });
      },
      [&st](atom::resolve, proposal_answer& what) {
        return guarded<turn>([&] { return st.resolve(std::move(what)); });
      },
      [&st](atom::observe, const caf::actor& who) { return st.observe(who); },
      [&st](atom::flush) { return st.flush(); },
      [&st](atom::stop) { return st.stop(); },
      [&st](atom::note, std::string& what, std::string& text) {
        st.note(std::move(what), std::move(text));
      },
      [&st](atom::restart, std::uint32_t lane) { st.restarted(lane); },
  };
}

}  // namespace fermata::actors
