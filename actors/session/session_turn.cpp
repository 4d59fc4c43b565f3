#include "actors/session/interruptible_entries.hpp"
#include "actors/session/session.hpp"
#include "actors/session/session_answers.hpp"
#include "actors/work/guarded.hpp"
#include "actors/work/interruptible.hpp"
#include "core/lang/syntax/token.hpp"
#include "core/session/commands/classify.hpp"
#include "core/session/proposals/proposal_now.hpp"
#include "core/session/timeline/decide.hpp"
#include "core/session/timeline/entry_text.hpp"
#include "core/session/timeline/score_text.hpp"
#include "core/utf8.hpp"
#include "messages/errors.hpp"

#include <fmt/format.h>

#include <stdexcept>

// The steps of a turn, in the order in which they happen; see the drawing in session.hpp. What a
// command wishes is in session_effects.cpp, searches on disk in session_history_search.cpp.

namespace fermata::actors {

namespace {

/// The state that the next decision in the same handler is made on.
session_state after(session_state s, const std::vector<transition>& transitions) {
  for (auto& t : transitions) {
    auto next = apply(std::move(s), t);
    if (!next) throw std::logic_error("inconsistent state: " + next.error().first().message);
    s = std::move(*next);
  }
  return s;
}

/// Whether the wish of a command is done, or leaves everything as it is, also where this session
/// cannot be written to. A new session says itself that it is not kept; another one that was put
/// away or brought back is where it is then. What becomes of this session is done afterwards, and
/// only when it is written.
struct needs_no_entry {
  bool operator()(std::monostate) const { return true; }
  bool operator()(const evaluation_effect& wish) const {
    return wish.use == evaluation_effect::use_t::show;
  }
  bool operator()(const manager_effect& wish) const {
    using what_t = manager_effect::what_t;
    return wish.what == what_t::list || wish.what == what_t::export_to ||
           wish.what == what_t::change_to || wish.what == what_t::create ||
           wish.what == what_t::import_from || wish.what == what_t::clone ||
           wish.what == what_t::archive || wish.what == what_t::unarchive ||
           wish.what == what_t::remove;
  }
  bool operator()(const score_file_effect& wish) const {
    return wish.what == score_file_effect::what_t::export_to;
  }
  bool operator()(const save_effect&) const { return true; }
  bool operator()(const reload_effect&) const { return true; }
  bool operator()(const view_effect&) const { return true; }
};

/// Whether a wish is about this session being written. What an evaluation changes shows when it is
/// done.
struct is_about_writing {
  bool operator()(std::monostate) const { return false; }
  bool operator()(const evaluation_effect&) const { return false; }
  bool operator()(const manager_effect& wish) const {
    return wish.what == manager_effect::what_t::rename;
  }
  bool operator()(const score_file_effect& wish) const {
    return wish.what != score_file_effect::what_t::export_to;
  }
  bool operator()(const save_effect&) const { return true; }
  bool operator()(const reload_effect&) const { return true; }
  bool operator()(const view_effect&) const { return false; }
};

/// The output of a command whose evaluation went wrong.
std::string message_of(const error& e) {
  std::string text;
  for (auto& d : e.diagnostics)
    text += fmt::format("{}{}: {}", text.empty() ? "" : "\n", info(d.code).name, d.message);
  return text;
}

/// What is said of a proposal that was evaluated again and is only shown, or not taken as it is.
std::optional<command_outcome> instead_of_taking(const session_state& s,
                                                 const evaluation_effect& wish,
                                                 const result<evaluation>& again, bool in_words) {
  using use_t = evaluation_effect::use_t;
  auto p = wish.proposal && wish.use != use_t::commit ? find_proposal(s, *wish.proposal) : nullptr;
  if (!p) return std::nullopt;
  if (wish.use == use_t::show) {
    command_outcome shown;
    shown.output = wish.remark + text_of_evaluation(*p, s, again, in_words);
    return shown;
  }
  auto what = again ? overwritten_by(again->delta, *p) : std::nullopt;
  if (!what) return std::nullopt;
  auto number = std::to_string(p->number);
  return refused(
      "the score has since changed in the same places; evaluated again, it would overwrite " +
          *what,
      "`:diff " + number + "` shows both; `:accept " + number + " --again` accepts it anyway.");
}

}  // namespace

entry_ptr what_only_shows(const running_turn& t, const std::vector<transition>& batch) {
  auto line = std::get_if<line_turn>(&t.kind);
  if (!line || !line->shows_waiting || !t.command || t.afterwards) return nullptr;
  if (batch.empty() || batch.back().events.size() != 1) return nullptr;
  if (!std::visit(needs_no_entry{}, t.command->wish)) return nullptr;
  auto entry = entry_of(batch.back());
  auto command = entry ? std::get_if<command_entry>(&entry->kind) : nullptr;
  return command && command->delta.empty() && command->env_change.empty() ? entry : nullptr;
}

commit_rule rule_of_proposals(const session_state& s) {
  auto rule = commit_rule_of(s);
  return rule == commit_rule::nothing ? commit_rule::notation : rule;
}

caf::error unexpected(const std::exception& e) {
  return make_problem(problem::internal, std::string{"unexpected error: "} + e.what());
}

evaluation_outcome fault(const caf::error& e) {
  auto detail = detail_of(e);
  return {fail({errc::internal, detail.message, std::nullopt, detail.advice}), {}};
}

caf::error conflict(std::uint64_t expected, std::uint64_t current) {
  problem_detail detail;
  detail.message =
      fmt::format("revision {} was expected, but the score is at revision {}", expected, current);
  detail.advice = "Read the score again, then repeat the request with the current revision.";
  detail.revision = current;
  return make_problem(problem::conflict, std::move(detail));
}

void session_actor_state::next_turn() {
  if (advancing_) return;  // a turn that ends within its first handler comes back to the loop below
  advancing_ = true;
  while (!running_ && !(turns_.empty() && resuming_.empty()) && !stopping_) {
    if (!resuming_.empty()) {
      auto next = std::move(resuming_.front());
      resuming_.pop_front();
      running_ = std::move(next.turn);
      finish_history_search(std::move(next.outcome));
      continue;
    }
    running_ = std::make_unique<running_turn>();
    running_->kind = turns_.take();
    try {
      std::visit([this](auto& kind) { begin(kind); }, running_->kind);
    } catch (const std::exception& e) {
      answer(unexpected(e));
    }
  }
  advancing_ = false;
}

// --- begin ---------------------------------------------------------------------------------------

/// Ctrl-C. What is given up while it waits may come first: it does nothing. What is evaluated ends
/// now, however long the worker needs to let go of it.
void session_actor_state::interrupt() {
  auto is_given_up = [](auto& t) {
    auto line = std::get_if<line_turn>(&t);
    return line && is_set(line->line.cancelled);
  };
  auto& lines = turns_.of_front_ends();
  auto last = lines.begin();
  for (auto t = lines.begin(); t != lines.end();) {
    auto next = std::next(t);
    if (is_given_up(*t)) {
      if (t == last)
        ++last;
      else
        lines.splice(last, lines, t);
    }
    t = next;
  }
  auto held_up = last != lines.begin();
  auto holds = running_ ? std::get_if<remote_turn>(&running_->kind) : nullptr;
  if (held_up && holds && holds->what.cancelled) holds->what.cancelled->store(true);
  auto line = running_ ? std::get_if<line_turn>(&running_->kind) : nullptr;
  if ((holds && is_set(holds->what.cancelled)) || (line && is_set(line->line.cancelled)))
    turn_lane_->give_up();
}

/// A line whose turn has come after Ctrl-C: nothing of it is run.
void session_actor_state::give_up(line_turn& t) {
  auto waiting = t.shows_waiting && !is_only_read()
                     ? everything_waiting(*writer_->planned(), now_())
                     : std::vector<transition>{};
  switch (classify(t.line.text).kind) {
    case input_kind::empty: return write_and_answer(std::move(waiting));
    case input_kind::chat:
      return answer(make_problem(problem::failed, "the message was cancelled before it was sent",
                                 "Press Up to get the line back."));
    case input_kind::command: {
      running_->command = command_outcome{};
      running_->command->ok = false;
      running_->command->output = "interrupted before it started; nothing was changed";
      for (auto& more : command_transitions(after(*writer_->planned(), waiting), t))
        waiting.push_back(std::move(more));
      return write_and_answer(std::move(waiting));
    }
    case input_kind::expression: show_first(std::move(waiting)); return finish(t, {given_up()});
  }
}

void session_actor_state::begin(line_turn& t) {
  // From here on the line is UTF-8, whatever becomes of it.
  auto undecodable = find_undecodable(t.line.text);
  if (undecodable) t.line.text = undecodable->text;
  if (is_set(t.line.cancelled)) return give_up(t);
  auto& planned = *writer_->planned();
  if (t.expected_revision && *t.expected_revision != planned.revision)
    return answer(conflict(*t.expected_revision, planned.revision));
  // What waits in a session that another process writes to is shown there.
  auto shows_waiting = t.shows_waiting && !is_only_read();
  auto waiting = shows_waiting ? everything_waiting(planned, now_()) : std::vector<transition>{};
  if (undecodable) {
    show_first(std::move(waiting));
    return finish(t, {fail(std::move(undecodable->why)), {}});
  }
  auto input = classify(t.line.text);
  if (t.line.preview) return evaluate(input.text, false, t.line.cancelled);
  switch (input.kind) {
    case input_kind::empty: return write_and_answer(std::move(waiting));
    case input_kind::chat:
      if (!input.text.empty())
        waiting.push_back(committed(after(planned, waiting), user_message_entry{input.text},
                                    t.line.source, now_()));
      return write_and_answer(std::move(waiting));
    case input_kind::command: return begin_command(t, input.text, std::move(waiting));
    case input_kind::expression:
      show_first(std::move(waiting));
      return evaluate(input.text, false, t.line.cancelled);
  }
}

void session_actor_state::begin(remote_turn& t) {
  auto& planned = *writer_->planned();
  // Its client is gone.
  if (is_set(t.what.cancelled)) return answer(to_problem(given_up().error(), t.what.text));
  if (!t.what.cancelled) t.what.cancelled = std::make_shared<std::atomic<bool>>(false);
  // While it waited, the musician may have changed both.
  if (auto policy = policy_for(planned, t.what.source.author); policy != remote_policy::allow)
    return answer(
        make_problem(problem::not_permitted, "the user has meanwhile set the policy to `" +
                                                 std::string{to_string(policy)} + "`"));
  if (t.what.expected_revision && *t.what.expected_revision != planned.revision) {
    return answer(conflict(*t.what.expected_revision, planned.revision));
  }
  evaluate(t.what.text, true, t.what.cancelled);
}

void session_actor_state::begin(note_turn& t) {
  if (is_only_read()) return say_beside(t);
  write_and_answer({noted(*writer_->planned(), t.what, t.text, now_())});
}

void session_actor_state::begin_command(const line_turn& t, const std::string& text,
                                        std::vector<transition> waiting) {
  auto state = after(*writer_->planned(), waiting);
  if (is_partly_on_disk(state))
    if (auto parsed = parse_command(text); parsed && parsed->spec->back != searches_history::no) {
      if (waiting.empty()) return history_search(t, text, parsed->spec->back);
      // What has waited is shown in this turn, not in one that comes in between.
      return writer_->write(std::move(waiting), [this, text, how = parsed->spec->back](
                                                    caf::expected<session_snapshot> written) {
        if (!running_) return;
        // On a full disk they go on waiting; what there is to be seen is seen.
        if (!written && problem_of(written.error()) != problem::failed)
          return answer(std::move(written.error()));
        history_search(std::get<line_turn>(running_->kind), text, how);
      });
    }
  auto outcome = interruptibly(t.line.cancelled, [&] {
    return run_command(text, state, t.line.source, now_(), {clock_, t.line.in_words},
                       open_sessions_);
  });
  apply_command(t, outcome ? std::move(*outcome) : refused("interrupted; nothing was changed", ""),
                std::move(waiting));
}

void session_actor_state::apply_command(const line_turn& t, command_outcome outcome,
                                        std::vector<transition> waiting) {
  auto state = after(*writer_->planned(), waiting);
  running_->effect = outcome.effect;
  running_->command = std::move(outcome);
  if (is_only_read() && std::visit(is_about_writing{}, running_->command->wish))
    return answer(only_read());
  if (!std::holds_alternative<std::monostate>(running_->command->wish)) {
    show_first(std::move(waiting));
    auto wish = running_->command->wish;
    return std::visit([&](auto& w) { perform(t, w); }, wish);
  }
  for (auto& more : command_transitions(state, t))
    waiting.push_back(std::move(more));
  write_and_answer(std::move(waiting));
}

void session_actor_state::show_first(std::vector<transition> waiting) {
  if (waiting.empty()) return;
  writer_->write(std::move(waiting), [this](caf::expected<session_snapshot> written) {
    if (!written && running_) running_->broken = std::move(written.error());
  });
}

void session_actor_state::evaluate(std::string text, bool remote,
                                   std::shared_ptr<std::atomic<bool>> cancelled,
                                   std::optional<commit_rule> rule) {
  evaluation_job job;
  job.request = request_for(std::move(text), writer_->planned());
  if (rule) job.request.rule = *rule;
  job.cancelled = std::move(cancelled);
  job.memory = limits_.memory;
  job.wall_time = remote ? limits_.remote_wall_time : limits_.wall_time;
  job.kind = remote ? work_kind::client_turn : work_kind::turn;
  turn_lane_->start(std::move(job), [this](caf::expected<evaluation_outcome> outcome) {
    evaluated(std::move(outcome));
  });
}

// --- evaluated -----------------------------------------------------------------------------------

void session_actor_state::evaluated(caf::expected<evaluation_outcome> outcome) {
  if (!running_) return;
  if (running_->broken) return answer(*running_->broken);
  auto what = outcome ? std::move(*outcome) : fault(outcome.error());
  try {
    std::visit([&](auto& kind) { finish(kind, what); }, running_->kind);
  } catch (const std::exception& e) {
    answer(unexpected(e));
  }
}

void session_actor_state::finish(line_turn& t, const evaluation_outcome& outcome) {
  if (running_->command)
    return finish_command(t, std::get<evaluation_effect>(running_->command->wish), outcome);
  // A line that is nothing but a comment.
  if (outcome.what && is_only_comment(*outcome.what)) return write_and_answer({});
  // A line that is not UTF-8 is of no kind; it is kept as it stands.
  auto undecodable = !outcome.what && outcome.what.error().first().code == errc::invalid_utf8;
  auto text = undecodable ? t.line.text : classify(t.line.text).text;
  auto made =
      fermata::evaluated(*writer_->planned(), {std::move(text), t.line.source, {}, outcome.printed},
                         outcome.what, now_());
  if (!t.line.preview) return write_and_answer({std::move(made)});
  auto unrecorded = std::make_shared<history_entry>(*entry_of(made));
  unrecorded->index = 0;
  running_->entries.push_back(std::move(unrecorded));
  write_and_answer({});
}

void session_actor_state::finish(remote_turn& t, const evaluation_outcome& outcome) {
  if (outcome.what && is_only_comment(*outcome.what)) return answer(nothing_to_evaluate());
  auto made = fermata::evaluated(
      *writer_->planned(), {t.what.text, t.what.source, {}, outcome.printed}, outcome.what, now_());
  auto was_stopped = !outcome.what && outcome.what.error().first().code == errc::cancelled;
  if (!t.what.idempotency_key.empty() && !was_stopped) {
    auto entry = entry_of(made);
    auto& eval = std::get<eval_entry>(entry->kind);
    kept_answer kept = keyed_request{t.what.source, t.what.idempotency_key, "eval", t.what.text,
                                     t.what.expected_revision}
                           .to_be_kept();
    kept.entry = entry->index;
    kept.output_text = eval.output_text;
    kept.delta_summary = change_summary(eval.delta, eval.env_change);
    kept.revision = eval.revision_after;
    kept.changed = !eval.delta.empty() || !eval.env_change.empty();
    made.events.push_back(answer_given{std::move(kept)});
  }
  if (auto bytes = journal_bytes(made); bytes > limits_.client_line_bytes)
    return answer(too_much_at_once(bytes, limits_.client_line_bytes));
  write_and_answer({std::move(made)});
}

void session_actor_state::finish(note_turn&, const evaluation_outcome&) {
  // Notes evaluate nothing.
}

void session_actor_state::finish_command(const line_turn& t, const evaluation_effect& wish,
                                         const evaluation_outcome& outcome) {
  auto& command = *running_->command;
  auto what = outcome.what;
  auto& planned = *writer_->planned();
  if (auto said = instead_of_taking(planned, wish, what, t.line.in_words))
    return effect_done(std::move(said->output), said->ok);
  command.ok = what.has_value();
  // Without a proposal the entry of the evaluation says what is wrong.
  command.output = command.ok      ? wish.remark
                   : wish.proposal ? message_of(what.error())
                                   : std::string{};
  if (command.ok && wish.proposal)
    command.output += ": " + change_summary(what->delta, difference(*planned.env, *what->env));
  if (wish.timed)
    command.output += fmt::format("{}took {:.3f} ms", command.output.empty() ? "" : "\n",
                                  static_cast<double>(outcome.took.count()) / 1000.0);
  auto batch = command_transitions(planned, t);
  // A proposal that does not evaluate any more stays open; nothing of it becomes an entry.
  if (command.ok || !wish.proposal) {
    auto made =
        fermata::evaluated(after(planned, batch),
                           {wish.text, wish.source, wish.proposal, outcome.printed}, what, now_());
    if (wish.proposal) made.events.push_back(proposal_resolved{*wish.proposal, true, {}});
    batch.push_back(std::move(made));
  }
  write_and_answer(std::move(batch));
}

std::vector<transition> session_actor_state::command_transitions(const session_state& s,
                                                                 const line_turn& t) const {
  auto& outcome = *running_->command;
  std::vector<transition> all;
  if (outcome.recorded) {
    command_entry entry;
    entry.text = ':' + classify(t.line.text).text;
    // Where a folder has such a name, a path is not UTF-8.
    entry.output = as_valid_utf8(outcome.output);
    entry.ok = outcome.ok;
    entry.delta = outcome.delta;
    entry.env_change = outcome.env_change;
    entry.revision_before = s.revision;
    entry.revision_after = s.revision + (outcome.delta.empty() ? 0 : 1);
    all.push_back(committed(s, std::move(entry), t.line.source, now_()));
  } else if (!outcome.events.empty()) {
    all.emplace_back();
  }
  if (!all.empty())
    all.back().events.insert(all.back().events.end(), outcome.events.begin(), outcome.events.end());
  // A client that asks again is answered with this entry.
  if (t.kept && outcome.recorded) {
    auto kept = *t.kept;
    auto entry = entry_of(all.back());
    kept.entry = entry->index;
    kept.revision = std::get<command_entry>(entry->kind).revision_after;
    all.back().events.push_back(answer_given{std::move(kept)});
  }
  if (outcome.further) {
    auto further = committed(after(s, all), outcome.further->kind, outcome.further->source, now_());
    all.push_back(std::move(further));
  }
  return all;
}

// --- written -------------------------------------------------------------------------------------

void session_actor_state::write_and_answer(std::vector<transition> batch) {
  if (is_only_read()) return answer_beside(batch);
  running_->writing = true;
  running_->only_shows = what_only_shows(*running_, batch);
  if (batch.empty()) return written(writer_->shown());
  writer_->write(std::move(batch), [this](caf::expected<session_snapshot> after_it) {
    if (running_) written(std::move(after_it));
  });
}

void session_actor_state::written(caf::expected<session_snapshot> after_it) {
  if (!after_it) {
    auto goes_on = running_->only_shows && problem_of(after_it.error()) == problem::failed;
    return goes_on ? answer_unwritten(after_it.error()) : answer(std::move(after_it.error()));
  }
  do_afterwards(true);
  if (auto line = std::get_if<line_turn>(&running_->kind))
    line->answer(turn{running_->entries, *after_it, running_->effect,
                      running_->command ? running_->command->listing : nullptr});
  else if (auto remote = std::get_if<remote_turn>(&running_->kind))
    remote->answer(outcome_of(*remote, **after_it));
  end_turn();
}

caf::expected<remote_outcome> session_actor_state::outcome_of(const remote_turn& t,
                                                              const session_state& s) const {
  auto& entry = running_->entries.back();
  auto& eval = std::get<eval_entry>(entry->kind);
  if (eval.failure) return to_problem(*eval.failure, t.what.text);
  remote_outcome outcome;
  outcome.entry = entry;
  outcome.output_text = eval.output_text;
  outcome.delta_summary = change_summary(eval.delta, eval.env_change);
  outcome.remarks = eval.remarks;
  outcome.revision = s.revision;
  outcome.changed = !eval.delta.empty() || !eval.env_change.empty();
  outcome.scratch = commit_rule_of(s) == commit_rule::nothing;
  return outcome;
}

void session_actor_state::answer(caf::error reason) {
  do_afterwards(false);
  if (auto line = std::get_if<line_turn>(&running_->kind))
    line->answer(std::move(reason));
  else if (auto remote = std::get_if<remote_turn>(&running_->kind))
    remote->answer(std::move(reason));
  end_turn();
}

/// The disk takes nothing: what there is to be seen is seen, as entries without a number. What
/// waited goes on waiting.
void session_actor_state::answer_unwritten(const caf::error& reason) {
  auto said = std::make_shared<history_entry>(*running_->only_shows);
  auto remark = std::make_shared<history_entry>();
  said->index = remark->index = 0;
  remark->time = said->time;
  remark->source = {"fermata", "system"};
  remark->kind = system_entry{
      "not-written",
      "This is not in the timeline, and nothing can be saved: " + detail_of(reason).message + '.'};
  running_->entries.push_back(std::move(said));
  running_->entries.push_back(std::move(remark));
  std::get<line_turn>(running_->kind)
      .answer(
          turn{running_->entries, writer_->shown(), running_->effect, running_->command->listing});
  end_turn();
}

/// Before the answer: whoever has it finds that everything has been said to the others.
void session_actor_state::do_afterwards(bool written) {
  if (auto afterwards = std::exchange(running_->afterwards, nullptr)) afterwards(written);
}

void session_actor_state::end_turn() {
  running_.reset();
  go_on_with_what_was_read();
  next_turn();
}

}  // namespace fermata::actors
