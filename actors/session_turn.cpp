#include "actors/guarded.hpp"
#include "actors/session.hpp"
#include "core/session/classify.hpp"
#include "core/session/decide.hpp"
#include "core/session/entry_text.hpp"
#include "io/display/display.hpp"
#include "io/json/entry_json.hpp"
#include "io/store/session_directory.hpp"
#include "messages/errors.hpp"

#include <fmt/format.h>

#include <stdexcept>

// The steps of a turn, in the order in which they happen; see the drawing in session.hpp.

namespace fermata::actors {

namespace {

/// The state that the next decision in the same handler is made on.
session_state after(session_state s, const std::vector<transition>& transitions) {
  for (auto& t : transitions) {
    auto next = apply(std::move(s), t);
    if (!next)
      throw std::logic_error("a decision does not fit its own state: " +
                             next.error().first().message);
    s = std::move(*next);
  }
  return s;
}

/// A fault of ours while an expression was evaluated, as what came of the expression.
evaluation_outcome fault(const caf::error& e) {
  auto detail = detail_of(e);
  return {fail({errc::internal, detail.message, std::nullopt, detail.advice}), {}};
}

/// The output of a command whose evaluation went wrong.
std::string message_of(const error& e) {
  std::string text;
  for (auto& d : e.diagnostics)
    text += fmt::format("{}{}: {}", text.empty() ? "" : "\n", info(d.code).name, d.message);
  return text;
}

/// A refusal for the musician: what is wrong and what to do.
std::string in_words(const caf::error& e) {
  auto detail = detail_of(e);
  return detail.message + (detail.advice.empty() ? "" : '\n' + detail.advice);
}

/// "312 B", "4.5 KB", "2.1 MB".
std::string size_in_words(std::uint64_t bytes) {
  if (bytes < 1'000) return fmt::format("{} B", bytes);
  auto amount = static_cast<double>(bytes) / 1'000;
  for (auto unit : {"KB", "MB"}) {
    if (amount < 1'000) return fmt::format("{:.1f} {}", amount, unit);
    amount /= 1'000;
  }
  return fmt::format("{:.1f} GB", amount);
}

caf::error unexpected(const std::exception& e) {
  return make_problem(problem::internal, std::string{"an unexpected fault: "} + e.what());
}

}  // namespace

caf::error conflict(std::uint64_t expected, std::uint64_t current) {
  problem_detail detail;
  detail.message =
      fmt::format("revision {} was expected, but the score is at {}", expected, current);
  detail.advice = "Read the score again, then repeat the request with the current revision.";
  detail.revision = current;
  return make_problem(problem::conflict, std::move(detail));
}

void session_actor_state::next_turn() {
  if (advancing_) return;  // a turn that ends within its first handler comes back to the loop below
  advancing_ = true;
  while (!running_ && !turns_.empty() && !stopping_) {
    running_.emplace();
    running_->kind = std::move(turns_.front());
    turns_.pop_front();
    try {
      std::visit([this](auto& kind) { begin(kind); }, running_->kind);
    } catch (const std::exception& e) {
      answer(unexpected(e));
    }
  }
  advancing_ = false;
}

// --- begin ---------------------------------------------------------------------------------------

void session_actor_state::begin(line_turn& t) {
  auto& planned = *writer_->planned();
  if (t.expected_revision && *t.expected_revision != planned.revision)
    return answer(conflict(*t.expected_revision, planned.revision));
  auto waiting = t.shows_waiting ? everything_waiting(planned, now_()) : std::vector<transition>{};
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
  // While it waited, the musician may have changed both.
  if (auto policy = policy_for(planned, t.what.source.author); policy != remote_policy::allow)
    return answer(
        make_problem(problem::not_permitted, "meanwhile the musician has set the policy to `" +
                                                 std::string{to_string(policy)} + "`"));
  if (t.what.expected_revision && *t.what.expected_revision != planned.revision) {
    return answer(conflict(*t.what.expected_revision, planned.revision));
  }
  evaluate(t.what.text, true, t.what.cancelled);
}

void session_actor_state::begin(note_turn& t) {
  write_and_answer({noted(*writer_->planned(), t.what, t.text, now_())});
}

void session_actor_state::begin_command(const line_turn& t, const std::string& text,
                                        std::vector<transition> waiting) {
  auto state = after(*writer_->planned(), waiting);
  auto outcome = run_command(text, state, t.line.source, now_());
  running_->effect = outcome.effect;
  running_->command = std::move(outcome);
  if (!std::holds_alternative<std::monostate>(running_->command->wish)) {
    show_first(std::move(waiting));
    auto wish = running_->command->wish;
    return std::visit([&](auto& w) { do_wish(t, w); }, wish);
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
                                   std::shared_ptr<std::atomic<bool>> cancelled) {
  evaluation_job job;
  job.request = request_for(std::move(text), writer_->planned());
  job.cancelled = std::move(cancelled);
  job.wall_time = remote ? limits_.remote_wall_time : limits_.wall_time;
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
  auto& planned = *writer_->planned();
  if (running_->command)
    return finish_command(t, std::get<evaluation_wish>(running_->command->wish), outcome);
  // A line that is nothing but a comment.
  if (outcome.what && outcome.what->forms.empty() && outcome.what->values.empty())
    return write_and_answer({});
  auto made = fermata::evaluated(planned, {classify(t.line.text).text, t.line.source, {}},
                                 outcome.what, now_());
  if (!t.line.preview) return write_and_answer({std::move(made)});
  auto unrecorded = std::make_shared<history_entry>(*entry_of(made));
  unrecorded->index = 0;
  running_->entries.push_back(std::move(unrecorded));
  write_and_answer({});
}

void session_actor_state::finish(remote_turn& t, const evaluation_outcome& outcome) {
  auto made = fermata::evaluated(*writer_->planned(), {t.what.text, t.what.source, {}},
                                 outcome.what, now_());
  if (!t.what.idempotency_key.empty()) {
    auto entry = entry_of(made);
    auto& eval = std::get<eval_entry>(entry->kind);
    made.events.push_back(
        answer_given{{t.what.source.author, t.what.idempotency_key, std::nullopt, entry->index,
                      eval.output_text, to_string(summarize(eval.delta)), eval.revision_after,
                      !eval.delta.empty() || !eval.env_change.empty()}});
  }
  write_and_answer({std::move(made)});
}

void session_actor_state::finish(note_turn&, const evaluation_outcome&) {
  // Notes evaluate nothing.
}

void session_actor_state::finish_command(const line_turn& t, const evaluation_wish& wish,
                                         const evaluation_outcome& outcome) {
  auto& command = *running_->command;
  command.ok = outcome.what.has_value();
  command.output = command.ok ? wish.remark : message_of(outcome.what.error());
  if (wish.timed)
    command.output += fmt::format("{}took {:.3f} ms", command.output.empty() ? "" : "\n",
                                  static_cast<double>(outcome.took.count()) / 1000.0);
  auto batch = command_transitions(*writer_->planned(), t);
  // A proposal that does not evaluate any more stays open; nothing of it becomes an entry.
  if (command.ok || !wish.proposal) {
    auto made = fermata::evaluated(after(*writer_->planned(), batch),
                                   {wish.text, wish.source, wish.proposal}, outcome.what, now_());
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
    entry.output = outcome.output;
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
  if (outcome.further) {
    auto further = committed(after(s, all), outcome.further->kind, outcome.further->source, now_());
    all.push_back(std::move(further));
  }
  return all;
}

// --- wishes --------------------------------------------------------------------------------------

void session_actor_state::do_wish(const line_turn&, std::monostate) {}

void session_actor_state::do_wish(const line_turn& t, evaluation_wish& wish) {
  evaluate(wish.text, false, t.line.cancelled);
}

void session_actor_state::do_wish(const line_turn&, json_wish& wish) {
  std::string lines;
  for (auto& entry : wish.entries)
    lines += (lines.empty() ? "" : "\n") + io::to_json_line(*entry);
  wish_done(std::move(lines), true);
}

void session_actor_state::do_wish(const line_turn& t, view_wish& wish) {
  wish_done(io::shown_score(wish.score, wish.part, wish.measures,
                            {wish.display, t.line.columns, t.line.unicode}),
            true);
}

void session_actor_state::do_wish(const line_turn&, save_wish&) {
  auto done = [this](caf::error failed) {
    if (!running_) return;
    if (failed)
      wish_done("not saved: " + detail_of(failed).message, false);
    else
      wish_done("saved " + writer_->shown()->meta.slug, true);
  };
  writer_->checkpoint([this, done](caf::error failed) {
    if (failed)
      done(std::move(failed));
    else
      writer_->flush(done);
  });
}

void session_actor_state::do_wish(const line_turn& t, reload_wish&) {
  writer_->edited_score([this, cancelled = t.line.cancelled](caf::expected<std::string> text) {
    if (!running_) return;
    if (!text) return wish_done(in_words(text.error()), false);
    // As a file is read: on an empty score, with nothing of this session at hand.
    evaluation_job job;
    job.request.text = *text;
    job.request.env = std::make_shared<const environment>();
    job.request.score = empty_score();
    job.cancelled = cancelled;
    job.wall_time = limits_.wall_time;
    turn_lane_->start(std::move(job),
                      [this, text = *text](caf::expected<evaluation_outcome> outcome) {
                        reloaded(text, std::move(outcome));
                      });
  });
}

void session_actor_state::reloaded(const std::string& text,
                                   caf::expected<evaluation_outcome> outcome) {
  if (!running_ || !running_->command) return;
  auto what = outcome ? std::move(*outcome) : fault(outcome.error());
  if (!what.what)
    return wish_done("score.ferm, as it was changed, cannot be taken\n" +
                         render(what.what.error(), text, "score.ferm"),
                     false);
  auto delta = diff_snapshots(writer_->planned()->score, what.what->score);
  running_->afterwards = [this] { writer_->score_taken(); };
  if (delta.empty()) return wish_done("score.ferm says what the score is already", true);
  auto words = "took score.ferm: " + to_string(summarize(delta));
  running_->command->delta = std::move(delta);
  running_->command->events.push_back(step_made{});
  wish_done(std::move(words), true);
}

void session_actor_state::do_wish(const line_turn&, manager_wish& wish) {
  auto boss = manager();
  if (!boss) return wish_done("sessions are not managed here", false);
  if (wish.what != manager_wish::what_t::export_to) return ask_manager(boss, wish);
  // For the score as text in the archive.
  writer_->checkpoint([this, boss, wish](caf::error failed) {
    if (!running_) return;
    if (failed) return wish_done(in_words(failed), false);
    ask_manager(boss, wish);
  });
}

void session_actor_state::ask_manager(const session_manager_actor& boss, const manager_wish& wish) {
  auto failed = [this](caf::error& e) { wish_done(in_words(e), false); };
  auto here = writer_->shown()->meta.slug;
  switch (wish.what) {
    case manager_wish::what_t::list:
      if (wish.archived) {
        self_->request(boss, caf::infinite, atom::archived_v)
            .then([this](const std::vector<session_summary>& all) { listed(all, true); }, failed);
        return;
      }
      self_->request(boss, caf::infinite, atom::list_v)
          .then([this](const std::vector<session_summary>& all) { listed(all, false); }, failed);
      return;
    case manager_wish::what_t::create:
      self_->request(boss, caf::infinite, atom::create_v, wish.argument)
          .then([this](const session_ref& made) { changed_to(made, "made "); }, failed);
      return;
    case manager_wish::what_t::change_to:
      self_->request(boss, caf::infinite, atom::activate_v, wish.argument)
          .then([this](const session_ref& found) { changed_to(found, "changed to "); }, failed);
      return;
    case manager_wish::what_t::clone:
      self_->request(boss, caf::infinite, atom::clone_v, here, wish.argument)
          .then([this](const session_ref& made) { changed_to(made, "copied to "); }, failed);
      return;
    case manager_wish::what_t::archive:
      return put_away(boss, wish.argument.empty() ? here : wish.argument, false);
    case manager_wish::what_t::remove:
      return put_away(boss, wish.argument.empty() ? here : wish.argument, true);
    case manager_wish::what_t::unarchive:
      self_->request(boss, caf::infinite, atom::bring_back_v, wish.argument)
          .then(
              [this](const session_ref& back) {
                wish_done(back.slug + " is back; `:session switch " + back.slug + "` goes there",
                          true);
              },
              failed);
      return;
    case manager_wish::what_t::export_to:
      self_
          ->request(boss, caf::infinite, atom::pack_v, wish.argument.empty() ? here : wish.argument,
                    wish.file)
          .then([this, file = wish.file](
                    const std::string& slug) { wish_done("wrote " + slug + " to " + file, true); },
                failed);
      return;
    case manager_wish::what_t::import_from:
      self_->request(boss, caf::infinite, atom::unpack_v, wish.file, wish.argument)
          .then([this](const session_ref& made) { changed_to(made, "made "); }, failed);
      return;
  }
}

void session_actor_state::put_away(const session_manager_actor& boss, const std::string& session,
                                   bool to_trash) {
  putting_away what{session, writer_->shown()->meta.slug, to_trash};
  self_->request(boss, caf::infinite, atom::put_away_v, what)
      .then(
          [this, to_trash](const put_away_answer& answer) {
            if (!running_) return;
            auto words =
                answer.slug + (to_trash ? " was moved to the trash; its folder is kept there"
                                        : " was archived; `:session unarchive " + answer.slug +
                                              "` brings it back");
            if (!answer.next.empty()) {
              running_->effect = {turn_effect::kind_t::switch_session, answer.next};
              running_->afterwards = [this, slug = answer.slug, to_trash] {
                if (auto again = manager()) self_->send(again, atom::left_v, slug, to_trash);
              };
              words += "\nchanged to " + answer.next;
            }
            wish_done(std::move(words), true);
          },
          [this](caf::error& e) { wish_done(in_words(e), false); });
}

void session_actor_state::changed_to(const session_ref& other, std::string_view what) {
  if (!running_) return;
  running_->effect = {turn_effect::kind_t::switch_session, other.slug};
  wish_done(std::string{what} + other.slug, true);
}

void session_actor_state::listed(const std::vector<session_summary>& all, bool archived) {
  std::string lines;
  for (auto& s : all) {
    std::string tags;
    for (auto& tag : s.meta.tags)
      tags += " #" + tag;
    lines +=
        fmt::format("{}{} {:<20} {}{}  {} entries, {}, changed {}  {}", lines.empty() ? "" : "\n",
                    s.active ? '*' : ' ', s.meta.slug, s.meta.name, tags, s.entries,
                    size_in_words(s.folder.empty() ? 0 : io::bytes_in(s.folder)),
                    to_text(s.meta.modified), s.score);
  }
  if (lines.empty()) lines = archived ? "the archive is empty" : "there is no session";
  wish_done(std::move(lines), true);
}

void session_actor_state::wish_done(std::string output, bool ok) {
  if (!running_ || !running_->command) return;
  if (running_->broken) return answer(*running_->broken);
  running_->command->output = std::move(output);
  running_->command->ok = ok;
  write_and_answer(command_transitions(*writer_->planned(), std::get<line_turn>(running_->kind)));
}

session_manager_actor session_actor_state::manager() const {
  return caf::actor_cast<session_manager_actor>(manager_.lock());
}

// --- written -------------------------------------------------------------------------------------

void session_actor_state::write_and_answer(std::vector<transition> batch) {
  running_->writing = true;
  if (batch.empty()) return written(writer_->shown());
  writer_->write(std::move(batch), [this](caf::expected<session_snapshot> after_it) {
    if (running_) written(std::move(after_it));
  });
}

void session_actor_state::written(caf::expected<session_snapshot> after_it) {
  if (!after_it) return answer(std::move(after_it.error()));
  if (auto line = std::get_if<line_turn>(&running_->kind))
    line->answer(turn{running_->entries, *after_it, running_->effect});
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
  outcome.delta_summary = to_string(summarize(eval.delta));
  outcome.revision = s.revision;
  outcome.changed = !eval.delta.empty() || !eval.env_change.empty();
  return outcome;
}

void session_actor_state::answer(caf::error reason) {
  if (auto line = std::get_if<line_turn>(&running_->kind))
    line->answer(std::move(reason));
  else if (auto remote = std::get_if<remote_turn>(&running_->kind))
    remote->answer(std::move(reason));
  end_turn();
}

void session_actor_state::end_turn() {
  auto afterwards = std::move(running_->afterwards);
  running_.reset();
  if (afterwards) afterwards();
  next_turn();
}

}  // namespace fermata::actors
