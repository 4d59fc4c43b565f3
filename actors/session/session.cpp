#include "actors/session/session.hpp"

#include "actors/session/other_sessions.hpp"
#include "actors/session/session_answers.hpp"
#include "actors/work/guarded.hpp"
#include "core/session/timeline/decide.hpp"
#include "io/text/safe_text.hpp"
#include "messages/errors.hpp"

#include <algorithm>
#include <utility>

namespace fermata::actors {

namespace {

constexpr std::uint32_t turn_lane_number = 0;  // the others are for previews

/// Doors through which the musician speaks. Everybody else is a client.
bool is_musician(const entry_source& source) {
  return source.door == "terminal" || source.door == "script" || source.door == "system";
}

/// Answers a request for something to be done.
void settle(caf::response_promise& promise, caf::error failed) {
  if (failed)
    promise.deliver(std::move(failed));
  else
    promise.deliver(caf::unit);
}

}  // namespace

session_actor_state::session_actor_state(pointer self) : self_(self) {}

session_actor_state::~session_actor_state() { answer_everybody(closing()); }

void session_actor_state::start(session_setup setup) {
  limits_ = setup.limits;
  client_budget_.emplace(limits_.client_bytes, limits_.client_bytes_per_hour);
  now_ = std::move(setup.now);
  clock_ = setup.clock;
  other_sessions_ = std::move(setup.other_sessions);
  open_sessions_ = std::move(setup.open_sessions);
  publish_ = std::move(setup.publish);
  manager_ = setup.manager;
  unkept_ = std::move(setup.unkept);
  workers_ = std::move(setup.workers);
  checkpointed_ = setup.state->history.size();
  observers_.emplace(self_);
  writer_.emplace(self_, setup.state, setup.store, [this](auto& batch) { shown(batch); });
  if (!unkept_.empty()) writer_->keep_unwritten();
  if (setup.loader) writer_->keep_in_memory(limits_.entries_in_memory, setup.loader);
  evaluate_ = setup.evaluate;
  turn_lane_.emplace(self_, turn_lane_number, evaluate_, workers_,
                     [this](const caf::error& reason) { evaluator_died(reason); });
  if (publish_) publish_(setup.state);
}

// --- verbs ---------------------------------------------------------------------------------------

caf::result<turn> session_actor_state::submit(submission line) {
  if (stopping_) return closing();
  if (!is_musician(line.source))
    return make_problem(problem::not_permitted, "only the user may submit lines",
                        "Clients can propose or preview evaluations and send messages.");
  if (turns_are_full()) return busy("too many lines are queued for this session");
  auto promise = self_->make_response_promise<turn>();
  auto shows_waiting = !line.preview;
  turns_.push(line_turn{std::move(line), shows_waiting, answering(promise)});
  next_turn();
  return promise;
}

std::optional<caf::error> session_actor_state::no_room_for_turn(const std::string& client_name,
                                                                std::size_t bytes) {
  if (turns_.of_client(client_name) >= limits_.turns_of_client)
    return busy("too many of your evaluations are queued for this session");
  if (turns_.of_clients() >= limits_.turns_waiting || no_room_for_text(bytes))
    return busy("too many evaluations by clients are queued for this session");
  return std::nullopt;
}

bool session_actor_state::no_room_for_text(std::size_t bytes) const {
  auto previews = previews_.total([](auto& p) { return p.what.text.size(); });
  auto waiting = turns_.bytes_of_clients() + previews;
  return waiting > 0 && waiting + bytes > limits_.waiting_bytes;
}

caf::result<turn> session_actor_state::undo(remote_undo what) {
  if (is_only_read()) return only_read();
  auto& planned = *writer_->planned();
  auto policy = policy_for(planned, what.source.author);
  if (!is_musician(what.source) && policy != remote_policy::allow)
    return make_problem(problem::not_permitted,
                        "the policy for " + what.source.author + " is `" +
                            std::string{to_string(policy)} + "`; undo needs `allow`",
                        "Propose the inverse change, or ask the user to undo.");
  if (what.count < 1)
    return make_problem(problem::out_of_range,
                        "invalid number of steps: " + std::to_string(what.count), "Use 1 or more.");
  if (stopping_) return closing();
  auto promise = self_->make_response_promise<turn>();
  keyed_request request{what.source, what.idempotency_key, "undo", std::to_string(what.count),
                        what.expected_revision};
  auto admitted = admit(request, answering_any<turn>(answering(promise)));
  if (!admitted) return promise;
  auto answer = answering_with<turn>(std::move(*admitted));
  auto of_user = is_musician(what.source);
  if (of_user && turns_are_full()) {
    answer(busy("too many lines are queued for this session"));
    return promise;
  }
  if (auto full = of_user ? std::nullopt : no_room_for_turn(what.source.author, 0)) {
    answer(std::move(*full));
    return promise;
  }
  if (auto over = over_budget(); over && !is_musician(what.source)) {
    answer(std::move(*over));
    return promise;
  }
  // What stands before it in the line may change the score: the revision is looked at in its turn.
  submission line{":undo " + std::to_string(what.count), what.source, nullptr, false};
  auto kept = request.key.empty() ? std::nullopt : std::optional{request.to_be_kept()};
  line_turn waiting{std::move(line), of_user, std::move(answer), what.expected_revision,
                    std::move(kept)};
  if (of_user)
    turns_.push(std::move(waiting));
  else
    turns_.push_of_client(std::move(waiting), what.source.author);
  next_turn();
  return promise;
}

caf::result<turn> session_actor_state::resolve(proposal_answer what) {
  if (stopping_) return closing();
  if (is_only_read()) return only_read();
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
                        "Only its author may answer it here; the user decides at the prompt.");
  if (found->state != proposal::state_t::open)
    return make_problem(problem::invalid_state, name + " has already been decided",
                        "See get_history.");
  if (auto full = no_room_for_turn(what.source.author, 0)) return std::move(*full);
  auto promise = self_->make_response_promise<turn>();
  submission line{(what.accept ? ":accept " : ":reject ") + std::to_string(what.number),
                  what.source, nullptr, false};
  turns_.push_of_client(line_turn{std::move(line), false, answering(promise)}, what.source.author);
  next_turn();
  return promise;
}

caf::result<message_receipt> session_actor_state::enqueue(incoming_message message) {
  if (stopping_) return closing();
  if (is_only_read()) return only_read();
  auto& planned = *writer_->planned();
  if (io::shows_nothing(message.content))
    return make_problem(problem::invalid_params, "the message is empty", "Give it some text.");
  if (message.content.size() > limits_.message_bytes)
    return make_problem(problem::out_of_range,
                        "the message has " + std::to_string(message.content.size()) +
                            " bytes; at most " + std::to_string(limits_.message_bytes) +
                            " are allowed",
                        "Send it in several parts.");
  auto promise = self_->make_response_promise<message_receipt>();
  keyed_request request{
      message.source, message.idempotency_key, "send_message", message.content, {}};
  auto admitted = admit(request, answering_any<message_receipt>(answering(promise)));
  if (!admitted) return promise;
  auto answer = answering_with<message_receipt>(std::move(*admitted));
  auto bytes = message.content.size();
  for (auto& waiting : planned.queue)
    bytes += waiting.content.size();
  if (planned.queue.size() >= limits_.messages_waiting || bytes > limits_.messages_bytes) {
    answer(busy("the user has not yet read " + std::to_string(planned.queue.size()) +
                " pending messages"));
    return promise;
  }
  if (auto over = over_budget()) {
    answer(std::move(*over));
    return promise;
  }
  message_receipt receipt{planned.next_ticket, planned.queue.size() + 1};
  auto made = queued(planned, std::move(message.content), message.source, now_());
  if (!request.key.empty()) {
    auto kept = request.to_be_kept();
    kept.ticket = receipt.ticket;
    kept.waiting = receipt.waiting;
    made.events.push_back(answer_given{std::move(kept)});
  }
  writer_->write({std::move(made)},
                 [answer = std::move(answer), receipt](caf::expected<session_snapshot> written) {
                   if (written)
                     answer(receipt);
                   else
                     answer(std::move(written.error()));
                 });
  return promise;
}

session_snapshot session_actor_state::observe(const session_observer_actor& who) {
  observers_->add(who);
  return writer_->shown();
}

caf::error session_actor_state::not_kept() const {
  return make_problem(problem::failed,
                      "this session is kept in memory only, because nothing can be written (" +
                          unkept_ + ')',
                      "It is lost when the program ends.");
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
  for (auto& lane : preview_lanes_)
    if (lane.worker) lane.worker->shut_down();
  answer_everybody(closing());
  running_ = std::move(written_soon);
  auto done = [this, promise](caf::error failed) mutable {
    settle(promise, std::move(failed));
    self_->quit();
  };
  // The store works in order: what is on its way is written before the flush is answered. Without
  // a checkpoint the journal has everything.
  writer_->checkpoint([this, done](caf::error) { writer_->flush(done); });
  return promise;
}

/// Nothing is under way, nobody is told what happens here, and nothing waits for the user.
bool session_actor_state::is_unused() const {
  auto& s = *writer_->planned();
  auto is_idle = [](auto& lane) { return !lane.job; };
  auto is_open = [](auto& p) { return p.state == proposal::state_t::open; };
  return !stopping_ && !running_ && turns_.empty() && aside_.empty() && resuming_.empty() &&
         remembering_.empty() && previews_.size() == 0 && writer_->is_idle() &&
         observers_->size() == 0 && s.queue.empty() &&
         std::all_of(preview_lanes_.begin(), preview_lanes_.end(), is_idle) &&
         std::none_of(s.proposals.begin(), s.proposals.end(), is_open);
}

caf::result<bool> session_actor_state::rest() {
  if (!is_unused() || is_only_read() || !unkept_.empty()) return false;
  auto promise = self_->make_response_promise<bool>();
  stopping_ = true;
  turn_lane_->shut_down();
  for (auto& lane : preview_lanes_)
    if (lane.worker) lane.worker->shut_down();
  auto done = [this, promise](caf::error) mutable {
    promise.deliver(true);
    self_->quit();
  };
  writer_->checkpoint([this, done](caf::error) { writer_->flush(done); });
  return promise;
}

void session_actor_state::note(std::string what, std::string text) {
  if (stopping_) return;
  turns_.push(note_turn{std::move(what), std::move(text)});
  next_turn();
}

void session_actor_state::restarted(std::uint32_t lane) {
  if (lane == turn_lane_number)
    turn_lane_->restarted();
  else
    preview_lanes_.at(lane - 1).worker->restarted();
}

void session_actor_state::evaluator_died(const caf::error& reason) {
  note("evaluator-restarted",
       "An evaluator ended (" + caf::to_string(reason) + ") and was started again.");
}

void session_actor_state::down(const caf::down_msg& msg) {
  turn_lane_->worker_down(msg);
  for (auto& lane : preview_lanes_)
    if (lane.worker) lane.worker->worker_down(msg);
  observers_->down(msg);
}

void session_actor_state::answer_everybody(const caf::error& reason) {
  auto running = std::move(running_);
  auto turns = turns_.take_all();
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
  for (auto& lane : preview_lanes_)
    if (auto job = std::exchange(lane.job, std::nullopt)) job->answer(reason);
  for (auto& waiting : previews_.take_all())
    waiting.answer(reason);
  for (auto& [number, answer] : std::exchange(remembering_, {}))
    answer(reason);
}

// --- what became visible -------------------------------------------------------------------------

void session_actor_state::shown(const journal_batch& batch) {
  session_event e;
  e.session = batch.after->meta.slug;
  e.after = batch.after;
  for (auto& t : batch.transitions) {
    if (auto entry = entry_of(t)) {
      e.entries.push_back(entry);
      if (running_) running_->entries.push_back(entry);
    }
  }
  charge(batch);
  e.what = kinds_of(batch.transitions);
  if (publish_) publish_(batch.after);
  observers_->tell(std::move(e));
  checkpoint_when_due();
}

/// Counts what clients have written.
void session_actor_state::charge(const journal_batch& batch) {
  for (const auto& t : batch.transitions) {
    const entry_source* from = nullptr;
    for (const auto& e : t.events)
      if (auto* committed = std::get_if<entry_committed>(&e))
        from = &committed->entry->source;
      else if (auto* words = std::get_if<message_queued>(&e))
        from = &words->message.source;
      else if (auto* made = std::get_if<proposal_made>(&e))
        from = &made->made.source;
    if (from && from->door != "terminal" && from->door != "script" && from->author != "fermata")
      client_budget_->spend(journal_bytes(t), now_());
  }
}

std::optional<caf::error> session_actor_state::over_budget() {
  auto wait = client_budget_->must_wait(now_());
  if (!wait) return std::nullopt;
  constexpr std::uint64_t megabyte = 1 << 20;
  auto seconds = (wait->count() + 999) / 1000;
  problem_detail detail;
  detail.message = "clients have written " + std::to_string(limits_.client_bytes / megabyte) +
                   " MB to session " + writer_->shown()->meta.slug +
                   ", which is as much as they may for now";
  detail.advice = "Try again in " + std::to_string(seconds) +
                  (seconds == 1 ? " second" : " seconds") + ", or write to another session.";
  detail.retry_after_ms = static_cast<int>(std::min<std::int64_t>(wait->count(), 3'600'000));
  return make_problem(problem::busy, std::move(detail));
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
  request.rule = commit_rule_of(*on);
  request.next_index = on->history.next_index();
  request.history = [on,
                     others = other_sessions_](std::string_view session,
                                               std::int64_t index) -> std::optional<history_value> {
    if (session.empty() || session == on->meta.slug) return value_at(on->history, index);
    return others ? others(session, index) : std::nullopt;
  };
  return request;
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
      [&st](atom::observe, const session_observer_actor& who) { return st.observe(who); },
      [&st](atom::cancel) { st.interrupt(); },
      [&st](atom::flush) { return st.flush(); },
      [&st](atom::unwritten) { return st.unwritten(); },
      [&st](atom::stop) { return st.stop(); },
      [&st](atom::rest) { return guarded<bool>([&] { return st.rest(); }); },
      [&st](atom::note, std::string& what, std::string& text) {
        st.note(std::move(what), std::move(text));
      },
      [&st](opened_again& what) { st.open_again(std::move(what)); },
      [&st](atom::restart, std::uint32_t lane) { st.restarted(lane); },
  };
}

}  // namespace fermata::actors
