#include "actors/session/turn_runner.hpp"

#include "actors/session/interruptible_entries.hpp"
#include "actors/work/file_worker.hpp"
#include "actors/work/history_search.hpp"
#include "actors/work/interruptible.hpp"
#include "core/session/timeline/journal_bytes.hpp"
#include "io/json/journal_json.hpp"
#include "messages/errors.hpp"

#include <exception>
#include <utility>

namespace fermata::actors {

namespace {

/// Whether making its lines takes long enough for the user to interrupt it.
bool is_long(const std::vector<transition>& batch) {
  constexpr std::uint64_t most_bytes = std::uint64_t{1} << 20;
  std::uint64_t bytes = 0;
  for (auto& t : batch)
    bytes += journal_bytes(t);
  return bytes > most_bytes;
}

}  // namespace

turn_runner::turn_runner(session_core& core, std::uint32_t lane, std::function<void()> after_step,
                         std::function<bool()> may_begin)
  : core_(core),
    lane_(core.self, lane, core.evaluate, core.workers,
          [&core](const caf::error& reason) { core.evaluator_died(reason); }),
    performer_(core, lane_),
    after_step_(std::move(after_step)),
    may_begin_(std::move(may_begin)) {}

// --- requests ------------------------------------------------------------------------------------

turn_runner::requester& turn_runner::add(turn_id id, std::shared_ptr<std::atomic<bool>> cancelled) {
  auto& r = requesters_[id];
  r.cancelled = cancelled ? std::move(cancelled) : std::make_shared<std::atomic<bool>>(false);
  return r;
}

void turn_runner::enter(submission line, answer_turn to) {
  auto id = next_id_++;
  auto& r = add(id, std::move(line.cancelled));
  r.line = std::move(to);
  r.terminal = {line.columns, line.unicode, std::move(line.folder)};
  r.front_end = line.front_end;
  line_request request;
  request.line = read_line(std::move(line.text));
  request.source = std::move(line.source);
  request.preview = line.preview;
  request.accessible = line.accessible;
  request.shows_pending = !line.preview;
  feed(turn_entered{id, std::move(request)});
}

void turn_runner::enter(line_request command, std::string caller, answer_turn to) {
  auto id = next_id_++;
  add(id, nullptr).line = std::move(to);
  feed(turn_entered{id, std::move(command), std::move(caller)});
}

void turn_runner::enter(remote_evaluation what, std::optional<kept_answer> kept, answer_remote to) {
  auto id = next_id_++;
  auto& r = add(id, std::move(what.cancelled));
  r.client = std::move(to);
  r.source_text = what.text;
  auto caller = what.caller.empty() ? what.source.author : std::move(what.caller);
  feed(turn_entered{id,
                    client_request{std::move(what.text), std::move(what.source),
                                   what.expected_revision, std::move(kept)},
                    std::move(caller)});
}

void turn_runner::note(std::string event, std::string text) {
  feed(turn_entered{next_id_++, note_request{std::move(event), std::move(text)}});
}

void turn_runner::shown(std::vector<entry_ptr> entries) {
  if (!entries.empty()) feed(entries_shown{std::move(entries)});
}

void turn_runner::close() {
  // What is about to be written still is, before whatever the store is asked for next.
  if (in_the_making_) {
    in_the_making_->stop->store(true);
    lines_made(in_the_making_->number, {});
  }
  feed(turns_closed{});
  lane_.shut_down();
}

void turn_runner::answer_all(const caf::error& reason) {
  for (auto& [id, r] : std::exchange(requesters_, {})) {
    r.cancelled->store(true);
    if (r.line) r.line(reason);
    if (r.client) r.client(reason);
  }
}

std::uint64_t turn_runner::front_end_served() const {
  auto r = state_.running ? requesters_.find(state_.running->id) : requesters_.end();
  return r == requesters_.end() ? 0 : r->second.front_end;
}

// --- steps ---------------------------------------------------------------------------------------

turn_context turn_runner::context() const {
  return {core_.writer->planned(),
          core_.now(),
          core_.is_read_only(),
          core_.limits.client_line_bytes,
          [this](turn_id id) {
            auto r = requesters_.find(id);
            return r != requesters_.end() && is_set(r->second.cancelled);
          },
          may_begin_()};
}

void turn_runner::feed(turn_input input) {
  inputs_.push_back(std::move(input));
  if (stepping_) return;
  stepping_ = true;
  while (!inputs_.empty()) {
    auto next = std::move(inputs_.front());
    inputs_.pop_front();
    auto done = step(std::move(state_), std::move(next), context());
    state_ = std::move(done.state);
    std::optional<turn_id> failed;
    std::string why;
    for (auto& action : done.actions) {
      auto id = turn_of(action);
      if (id == failed) {
        if (is_answer(action)) refuse_internal(id, why);  // its turn has ended: nobody else answers
        continue;
      }
      try {
        std::visit([this](auto& a) { execute(a); }, action);
      } catch (const std::exception& e) {
        failed = id;
        why = e.what();
        if (is_answer(action)) refuse_internal(id, why);
        inputs_.push_back(action_failed{id, e.what()});
      }
    }
  }
  stepping_ = false;
  after_step_();
}

turn_runner::requester* turn_runner::find(turn_id id) {
  auto r = requesters_.find(id);
  return r == requesters_.end() ? nullptr : &r->second;
}

std::optional<turn_runner::requester> turn_runner::take(turn_id id) {
  auto r = requesters_.extract(id);
  return r.empty() ? std::nullopt : std::optional{std::move(r.mapped())};
}

bool turn_runner::is_answer(const turn_action& a) {
  return std::holds_alternative<answer_line>(a) || std::holds_alternative<answer_client>(a) ||
         std::holds_alternative<refuse_turn>(a);
}

void turn_runner::refuse_internal(turn_id id, const std::string& why) {
  refuse_turn refusal;
  refusal.id = id;
  refusal.message = "unexpected error: " + why;
  execute(refusal);
}

// --- actions -------------------------------------------------------------------------------------

void turn_runner::execute(write_batch& a) {
  if (a.interruptible && core_.writer->has_store() && is_long(a.batch))
    make_lines(std::move(a));
  else
    write(std::move(a));
}

void turn_runner::write(write_batch a, journal_writer::lines lines) {
  core_.writer->write(
      std::move(a.batch),
      [this, id = a.id, purpose = a.purpose](caf::expected<session_snapshot> written) {
        batch_written result{id, purpose, {}};
        if (!written) {
          result.failure = write_failure{problem_of(written.error()) == problem::failed,
                                         detail_of(written.error()).message};
          if (auto r = find(id); r && !r->write_error) r->write_error = std::move(written.error());
        }
        feed(std::move(result));
      },
      std::move(lines));
}

/// The lines of a long batch, made by a worker: until it is done, nothing is planned or written,
/// and `stop_evaluation` ends it. What is planned meanwhile are messages and proposals of clients,
/// which entries do not depend on.
void turn_runner::make_lines(write_batch a) {
  auto stop = std::make_shared<std::atomic<bool>>(false);
  auto number = ++batches_made_;
  auto batch = std::make_shared<const std::vector<transition>>(a.batch);
  auto lines = std::make_shared<journal_writer::lines>();
  auto worker = core_.self->spawn(file_worker, core_.workers, work_kind::turn);
  file_job job{[batch, lines, stop]() -> result<void> {
    auto made = interruptibly(stop, [&] {
      journal_writer::lines all;
      for (auto& t : *batch)
        all.push_back(std::make_shared<const std::string>(io::transition_line(t)));
      return all;
    });
    if (!made) return fail(made.error());
    *lines = std::move(*made);
    return {};
  }};
  // The handlers hold the worker, which ends with them. Without lines the store makes them.
  core_.self->request(worker, caf::infinite, std::move(job))
      .then([this, worker, number, lines] { lines_made(number, std::move(*lines)); },
            [this, worker, number](const caf::error&) { lines_made(number, {}); });
  // Only now: what could not be asked for is refused, and must not be written at the end.
  in_the_making_ = batch_in_the_making{number, std::move(a), std::move(stop)};
}

void turn_runner::lines_made(std::uint64_t number, journal_writer::lines lines) {
  if (!in_the_making_ || in_the_making_->number != number) return;
  auto made = std::move(*std::exchange(in_the_making_, std::nullopt));
  write(std::move(made.batch), std::move(lines));
}

void turn_runner::execute(evaluate_text& a) {
  evaluation_job job;
  job.request = core_.request_for(std::move(a.text), core_.writer->planned());
  if (a.rule) job.request.rule = *a.rule;
  if (auto r = find(a.id)) job.cancelled = r->cancelled;
  job.memory = core_.limits.memory;
  job.wall_time = a.by_client ? core_.limits.remote_wall_time : core_.limits.wall_time;
  job.kind = a.by_client ? work_kind::client_turn : work_kind::turn;
  lane_.start(std::move(job), [this, id = a.id](caf::expected<evaluation_outcome> outcome) {
    feed(text_evaluated{id, outcome ? std::move(*outcome) : failed_evaluation(outcome.error())});
  });
}

void turn_runner::execute(run_command_line& a) {
  auto r = find(a.id);
  auto outcome = interruptibly(r ? r->cancelled : nullptr, [&] {
    return run_command(a.command, *a.on, a.source, core_.now(), {core_.clock, a.accessible},
                       core_.open_sessions);
  });
  feed(command_done{a.id, outcome ? std::move(*outcome)
                                  : refused("interrupted; nothing was changed", "")});
}

void turn_runner::execute(search_timeline& a) {
  if (!searcher_) searcher_ = core_.self->spawn(history_search, core_.workers);
  auto r = find(a.id);
  auto interrupted = r ? r->cancelled : std::make_shared<std::atomic<bool>>(false);
  history_search_job job{std::move(a.command),        read_until(core_.planned(), interrupted),
                         std::move(a.source),         core_.now(),
                         {core_.clock, a.accessible}, interrupted};
  core_.self->request(searcher_, caf::infinite, atom::history_search_v, std::move(job))
      .then(
          [this, id = a.id](command_outcome& found) {
            feed(search_done{id, std::move(found)});
          },
          [this, id = a.id](const caf::error& reason) {
            feed(search_done{id, fail({errc::internal, detail_of(reason).message})});
          });
}

void turn_runner::execute(perform_effect& a) {
  auto r = find(a.id);
  performer_.perform(a.effect, r ? r->terminal : terminal_of_line{}, std::move(a.source),
                     a.accessible, r ? r->cancelled : nullptr,
                     [this, id = a.id](effect_done result) {
                       result.id = id;
                       feed(std::move(result));
                     });
}

void turn_runner::execute(perform_afterwards& a) {
  performer_.perform_afterwards(a.what, a.written);
}

void turn_runner::execute(answer_line& a) {
  turn answer{std::move(a.entries), core_.shown(), std::move(a.effect), std::move(a.listing)};
  if (auto r = take(a.id); r && r->line) r->line(std::move(answer));
}

void turn_runner::execute(answer_client& a) {
  auto known = find(a.id);
  if (!known || !known->client) return;
  auto answer = outcome_of(a.entry, known->source_text, *core_.shown());
  take(a.id)->client(std::move(answer));
}

void turn_runner::execute(refuse_turn& a) {
  auto r = take(a.id);
  if (!r) return;
  auto why =
      to_problem(a, core_.limits.client_line_bytes,
                 core_.is_read_only() ? core_.read_only_error() : caf::error{}, r->write_error);
  if (r->line) r->line(why);
  if (r->client) r->client(std::move(why));
}

void turn_runner::execute(stop_evaluation& a) {
  lane_.abandon();
  if (!in_the_making_ || in_the_making_->batch.id != a.id) return;
  auto made = std::move(*std::exchange(in_the_making_, std::nullopt));
  made.stop->store(true);
  write_failure failure;
  failure.interrupted = true;
  feed(batch_written{a.id, made.batch.purpose, std::move(failure)});
}

void turn_runner::execute(cancel_work& a) {
  if (auto r = find(a.id)) r->cancelled->store(true);
}

}  // namespace fermata::actors
