#include "actors/session/session.hpp"

#include "actors/session/request_checks.hpp"
#include "actors/session/session_answers.hpp"
#include "actors/work/guarded.hpp"
#include "core/session/timeline/decide.hpp"
#include "messages/errors.hpp"

#include <algorithm>
#include <utility>

namespace fermata::actors {

namespace {

constexpr std::uint32_t turn_lane = 0, first_preview_lane = 1;

/// Answers a request for something to be done.
void settle(caf::response_promise& promise, caf::error failed) {
  if (failed)
    promise.deliver(std::move(failed));
  else
    promise.deliver(caf::unit);
}

}  // namespace

session_actor_state::session_actor_state(pointer self) : self_(self) {}

session_actor_state::~session_actor_state() { answer_all(closing()); }

void session_actor_state::start(const session_setup& setup) {
  core_.emplace(self_, setup);
  core_->note = [this](std::string event, std::string text) {
    note(std::move(event), std::move(text));
  };
  publish_ = setup.publish;
  observers_.emplace(self_);
  write_with(setup.state, setup.store, setup.loader);
  turns_.emplace(
      *core_, turn_lane, [this] { switch_to_reopened(); }, [this] { return !reopened_; });
  previews_.emplace(*core_, first_preview_lane);
  repeated_.emplace(*core_);
  if (publish_) publish_(setup.state);
}

void session_actor_state::write_with(const session_snapshot& state, const store_actor& store,
                                     const entry_loader_ptr& loader) {
  checkpointed_ = state->history.size();
  core_->writer.emplace(self_, state, store, [this](auto& batch) { batch_shown(batch); });
  if (!core_->not_saved_reason.empty()) core_->writer->keep_unwritten();
  if (loader) core_->writer->keep_in_memory(core_->limits.entries_in_memory, loader);
}

// --- turns ---------------------------------------------------------------------------------------

std::optional<caf::error> session_actor_state::no_room_for_turn_of(const std::string& caller,
                                                                   std::size_t bytes) const {
  return no_room_for_turn(turns_->state(), core_->limits, caller, bytes, previews_->bytes());
}

caf::result<turn> session_actor_state::submit(submission line) {
  if (core_->stopping) return closing();
  if (!is_user(line.source))
    return make_problem(problem::not_permitted, "only the user may submit lines",
                        "Clients can propose or preview evaluations and send messages.");
  if (auto full = no_room_for_line(turns_->state(), core_->limits)) return std::move(*full);
  auto promise = self_->make_response_promise<turn>();
  turns_->enter(std::move(line), answering(promise));
  return promise;
}

caf::result<turn> session_actor_state::undo(remote_undo what) {
  if (core_->is_read_only()) return core_->read_only_error();
  if (auto refusal = refusal_of_undo(core_->planned(), what)) return std::move(*refusal);
  if (core_->stopping) return closing();
  auto of_user = is_user(what.source);
  auto promise = self_->make_response_promise<turn>();
  auto count = std::to_string(what.count);
  keyed_request request{what.source, what.idempotency_key, "undo", count, what.expected_revision};
  auto admitted = repeated_->admit(request, answering_any<turn>(answering(promise)));
  if (!admitted) return promise;
  auto answer = answering_with<turn>(std::move(*admitted));
  auto refusal = of_user ? no_room_for_line(turns_->state(), core_->limits)
                         : no_room_for_turn_of(what.source.author, 0);
  if (!refusal && !of_user) refusal = core_->over_budget();
  if (refusal) {
    answer(std::move(*refusal));
    return promise;
  }
  line_request command;
  command.line = command_entered({"undo", {count}});
  command.source = what.source;
  command.shows_pending = of_user;
  // Turns before it may change the score: the revision is checked when it begins.
  command.expected_revision = what.expected_revision;
  if (!request.key.empty()) command.kept = request.to_be_kept();
  turns_->enter(std::move(command), of_user ? std::string{} : what.source.author,
                std::move(answer));
  return promise;
}

caf::result<turn> session_actor_state::enter(const command_request& what,
                                             const entry_source& source) {
  auto promise = self_->make_response_promise<turn>();
  line_request command;
  command.line = command_entered(what);
  command.source = source;
  turns_->enter(std::move(command), is_user(source) ? std::string{} : source.author,
                answering(promise));
  return promise;
}

caf::result<turn> session_actor_state::perform(requested_command what) {
  if (core_->stopping) return closing();
  if (core_->is_read_only()) return core_->read_only_error();
  if (is_user(what.source)) return enter(what.command, what.source);
  auto refusal = refusal_of_command(core_->planned(), what.source);
  if (!refusal) refusal = no_room_for_turn_of(what.source.author, what.command.expression.size());
  if (!refusal) refusal = core_->over_budget();
  if (refusal) return std::move(*refusal);
  return enter(what.command, what.source);
}

caf::result<turn> session_actor_state::resolve(proposal_answer what) {
  if (core_->stopping) return closing();
  if (core_->is_read_only()) return core_->read_only_error();
  auto refusal = refusal_of_answer(core_->planned(), what);
  if (!refusal) refusal = no_room_for_turn_of(what.source.author, 0);
  if (refusal) return std::move(*refusal);
  return enter({what.accept ? "accept" : "reject", {std::to_string(what.number)}}, what.source);
}

void session_actor_state::note(std::string event, std::string text) {
  if (!core_->stopping) turns_->note(std::move(event), std::move(text));
}

// --- clients -------------------------------------------------------------------------------------

caf::result<remote_outcome> session_actor_state::propose(remote_evaluation what) {
  if (core_->stopping) return closing();
  auto use = use_of_evaluation(core_->planned(), what, core_->is_read_only());
  if (!use) return not_permitted(remote_policy::deny, what.source);
  if (auto refusal = refusal_of_text(what.text)) return std::move(*refusal);
  auto commits = use == evaluation_use::commit;
  auto may_propose = use != evaluation_use::preview;
  auto request = request_of(what);
  // Nothing of a preview is kept; but what was done before is answered, whatever is allowed now.
  if (!may_propose && !repeated_->was_answered(request)) request.key.clear();
  auto promise = self_->make_response_promise<remote_outcome>();
  auto admitted = repeated_->admit(request, answering_any<remote_outcome>(answering(promise)));
  if (!admitted) return promise;
  auto to = answering_with<remote_outcome>(std::move(*admitted));
  auto refusal = core_->over_budget();
  auto& caller = what.caller.empty() ? what.source.author : what.caller;
  if (!refusal && commits) refusal = no_room_for_turn_of(caller, what.text.size());
  if (refusal) {
    to(std::move(*refusal));
  } else if (commits) {
    auto kept = request.key.empty() ? std::nullopt : std::optional{request.to_be_kept()};
    turns_->enter(std::move(what), std::move(kept), std::move(to));
  } else {
    previews_->enter(std::move(what), may_propose, turns_->state().waiting.bytes_of_clients(),
                     std::move(to));
  }
  return promise;
}

caf::result<remote_outcome> session_actor_state::preview(remote_evaluation what) {
  if (core_->stopping) return closing();
  if (auto refusal = refusal_of_text(what.text)) return std::move(*refusal);
  auto promise = self_->make_response_promise<remote_outcome>();
  previews_->enter(std::move(what), false, turns_->state().waiting.bytes_of_clients(),
                   answering(promise));
  return promise;
}

caf::result<message_receipt> session_actor_state::enqueue(incoming_message message) {
  if (core_->stopping) return closing();
  if (core_->is_read_only()) return core_->read_only_error();
  auto& limits = core_->limits;
  if (auto refusal = refusal_of_message(message.content, limits.message_bytes))
    return std::move(*refusal);
  auto promise = self_->make_response_promise<message_receipt>();
  keyed_request request{
      message.source, message.idempotency_key, "send_message", message.content, {}};
  auto admitted = repeated_->admit(request, answering_any<message_receipt>(answering(promise)));
  if (!admitted) return promise;
  auto answer = answering_with<message_receipt>(std::move(*admitted));
  auto& planned = core_->planned();
  auto refusal = no_room_for_message(planned, message.content.size(), limits.messages_waiting,
                                     limits.messages_bytes);
  if (!refusal) refusal = core_->over_budget();
  if (refusal) {
    answer(std::move(*refusal));
    return promise;
  }
  message_receipt receipt{planned.next_ticket, planned.queue.size() + 1};
  auto made = queued(planned, std::move(message.content), message.source, core_->now());
  if (!request.key.empty()) {
    auto kept = request.to_be_kept();
    kept.ticket = receipt.ticket;
    kept.waiting = receipt.waiting;
    made.events.push_back(answer_given{std::move(kept)});
  }
  core_->writer->write({std::move(made)}, [answer = std::move(answer),
                                           receipt](caf::expected<session_snapshot> after) {
    if (after)
      answer(receipt);
    else
      answer(std::move(after.error()));
  });
  return promise;
}

session_snapshot session_actor_state::observe(const session_observer_actor& who) {
  observers_->add(who);
  return core_->shown();
}

void session_actor_state::unobserve(const session_observer_actor& who) { observers_->remove(who); }

// --- saving and the end --------------------------------------------------------------------------

caf::result<void> session_actor_state::flush() {
  if (!core_->not_saved_reason.empty()) return core_->not_kept();
  auto promise = self_->make_response_promise<void>();
  core_->writer->flush(
      [promise](caf::error failed) mutable { settle(promise, std::move(failed)); });
  return promise;
}

void session_actor_state::shut_down_lanes() {
  turns_->lane().shut_down();
  previews_->shut_down();
}

caf::result<void> session_actor_state::stop() {
  auto promise = self_->make_response_promise<void>();
  core_->stopping = true;
  // A turn that is being written is answered when it is; nothing else can be done any more.
  turns_->close();
  shut_down_lanes();
  previews_->answer_all(closing());
  repeated_->answer_all(closing());
  auto done = [this, promise](caf::error failed) mutable {
    settle(promise, std::move(failed));
    self_->quit();
  };
  // The store works in order: what was sent before is written before the flush is answered. Without
  // a checkpoint the journal has everything.
  core_->writer->checkpoint([this, done](const caf::error&) { core_->writer->flush(done); });
  return promise;
}

/// Nothing is under way, nobody observes it, and nothing waits for the user.
bool session_actor_state::is_unused() const {
  return !core_->stopping && turns_->state().is_idle() && repeated_->is_idle() &&
         previews_->is_idle() && core_->writer->is_idle() && observers_->size() == 0 &&
         !waits_for_user(core_->planned());
}

caf::result<bool> session_actor_state::unload() {
  if (!is_unused() || core_->is_read_only() || !core_->not_saved_reason.empty()) return false;
  auto promise = self_->make_response_promise<bool>();
  core_->stopping = true;
  shut_down_lanes();
  auto done = [this, promise](const caf::error&) mutable {
    promise.deliver(true);
    self_->quit();
  };
  core_->writer->checkpoint([this, done](const caf::error&) { core_->writer->flush(done); });
  return promise;
}

void session_actor_state::answer_all(const caf::error& reason) {
  if (turns_) turns_->answer_all(reason);
  if (previews_) previews_->answer_all(reason);
  if (repeated_) repeated_->answer_all(reason);
}

void session_actor_state::restarted(std::uint32_t lane) {
  if (lane == turn_lane)
    turns_->lane().restarted();
  else
    previews_->restarted(lane);
}

void session_actor_state::down(const caf::down_msg& msg) {
  turns_->lane().worker_down(msg);
  previews_->worker_down(msg);
  observers_->down(msg);
}

// --- what becomes visible ------------------------------------------------------------------------

void session_actor_state::batch_shown(const journal_batch& batch) {
  session_event e;
  e.session = batch.after->meta.slug;
  e.after = batch.after;
  for (auto& t : batch.transitions)
    if (auto entry = entry_of(t)) e.entries.push_back(entry);
  // Only turns commit entries.
  if (!e.entries.empty()) e.answered_to = turns_->front_end_served();
  turns_->shown(e.entries);
  core_->charge(batch);
  e.what = kinds_of(batch.transitions);
  if (publish_) publish_(batch.after);
  observers_->tell(std::move(e));
  checkpoint_when_due();
}

void session_actor_state::checkpoint_when_due() {
  auto size = core_->shown()->history.size();
  if (core_->stopping || size - checkpointed_ < core_->limits.entries_between_checkpoints) return;
  checkpointed_ = size;
  core_->writer->checkpoint_when_due([this](const caf::error& failed) {
    if (failed)
      note("checkpoint-failed", "The score could not be saved as a file of its own: " +
                                    detail_of(failed).message + " The journal has everything.");
  });
}

// --- a session that another process wrote to -----------------------------------------------------

void session_actor_state::open_again(opened_again what) {
  reopened_ = std::move(what);
  switch_to_reopened();
}

/// What a turn has decided on the state before must not be done on the one that was read.
void session_actor_state::switch_to_reopened() {
  if (!reopened_ || core_->stopping || !turns_->state().is_state_replaceable()) return;
  auto what = std::move(*std::exchange(reopened_, std::nullopt));
  turns_->forget_unrecorded_notes();
  core_->not_saved_reason = std::move(what.not_saved_reason);
  core_->folder = std::move(what.folder);
  write_with(what.state, what.store, what.store ? what.loader : nullptr);
  if (publish_) publish_(what.state);
  session_event e;
  e.session = what.state->meta.slug;
  e.what = "entries queued proposal score settings";
  e.after = what.state;
  observers_->tell(std::move(e));
  turns_->resume();
}

// --- behaviour -----------------------------------------------------------------------------------

session_actor::behavior_type session(session_actor_state::pointer self, session_setup setup) {
  auto& st = self->state;
  set_quiet_handlers(self);
  self->set_down_handler([&st](caf::down_msg& msg) { st.down(msg); });
  st.start(setup);
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
      [&st](requested_command& what) {
        return guarded<turn>([&] { return st.perform(std::move(what)); });
      },
      [&st](atom::resolve, proposal_answer& what) {
        return guarded<turn>([&] { return st.resolve(std::move(what)); });
      },
      [&st](atom::observe, const session_observer_actor& who) { return st.observe(who); },
      [&st](atom::unobserve, const session_observer_actor& who) { st.unobserve(who); },
      [&st](atom::cancel) { st.interrupt(); },
      [&st](atom::flush) { return st.flush(); },
      [&st](atom::unwritten) { return st.unwritten(); },
      [&st](atom::stop) { return st.stop(); },
      [&st](atom::unload) { return guarded<bool>([&] { return st.unload(); }); },
      [&st](atom::note, std::string& what, std::string& text) {
        st.note(std::move(what), std::move(text));
      },
      [&st](opened_again& what) { st.open_again(std::move(what)); },
      [&st](atom::restart, std::uint32_t lane) { st.restarted(lane); },
  };
}

}  // namespace fermata::actors
