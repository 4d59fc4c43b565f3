// What a command wishes that is more than a function of the session's state: to be done by the
// disk, by the display, or by the one who knows all sessions.

#include "actors/session/session.hpp"
#include "actors/session/session_rows.hpp"
#include "core/session/timeline/cursor_place.hpp"
#include "core/session/timeline/entry_text.hpp"
#include "core/session/timeline/whole_score.hpp"
#include "io/display/display.hpp"
#include "io/store/home.hpp"
#include "messages/errors.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace fermata::actors {

namespace {

/// A refusal for the musician: what is wrong and what to do.
std::string in_words(const caf::error& e) {
  auto detail = detail_of(e);
  return detail.message + (detail.advice.empty() ? "" : '\n' + detail.advice);
}

/// The newest is the file that they edited, whatever we call it meanwhile.
std::string called_by_musicians(const io::waiting_score& w) {
  return w.name == io::newest_score_name ? "score.ferm" : w.name;
}

/// After a refusal: what stands in score.ferm may be ours again by now.
std::string what_to_do_instead(const io::offered_score& offered) {
  auto words =
      "It is in " + offered.file.name + ": fix it there or delete it, then enter `:reload`";
  auto next = std::find_if(offered.others.begin(), offered.others.end(),
                           [](auto& other) { return other.branch.empty(); });
  if (next != offered.others.end()) words += "; otherwise " + next->name + " is loaded";
  return words + '.';
}

/// What was not taken, a line each.
std::string what_else_there_is(const whole_score& edited, const io::offered_score& offered) {
  std::string lines;
  if (!edited.left_out.empty()) lines += "\nOnly the score is loaded; ignored: " + edited.left_out;
  for (auto& other : offered.others)
    lines += '\n' + other.name + " is waiting too: `:reload` loads it " +
             (other.branch.empty() ? "next, replacing this one" : "on branch " + other.branch);
  return lines;
}

}  // namespace

void session_actor_state::perform(const line_turn&, std::monostate) {}

void session_actor_state::perform(const line_turn& t, evaluation_effect& wish) {
  auto rule = wish.proposal ? rule_of_proposals(*writer_->planned()) : wish.rule;
  evaluate(wish.text, false, t.line.cancelled, rule);
}

void session_actor_state::perform(const line_turn& t, view_effect& wish) {
  effect_done(io::shown_score(wish.score, wish.part, wish.measures,
                              {wish.display, t.line.columns, t.line.unicode}),
              true);
}

void session_actor_state::perform(const line_turn&, save_effect&) {
  auto done = [this](caf::error failed) {
    if (!running_) return;
    if (failed) return effect_done("not saved: " + in_words(failed), false);
    // What has waited could perhaps not be written before this; it goes on waiting.
    running_->broken.reset();
    effect_done("saved " + writer_->shown()->meta.slug, true);
  };
  if (!unkept_.empty()) return done(not_kept());
  writer_->save([this, done](caf::error failed) {
    if (failed)
      done(std::move(failed));
    else
      writer_->flush(done);
  });
}

void session_actor_state::perform(const line_turn& t, reload_effect&) {
  writer_->edited_score(
      [this, cancelled = t.line.cancelled](caf::expected<io::offered_score> offered) {
        if (!running_) return;
        if (!offered) return effect_done(in_words(offered.error()), false);
        // As a file is read: on an empty score, with nothing of this session at hand.
        evaluation_job job;
        job.request.text = offered->text;
        job.request.env = std::make_shared<const environment>();
        job.request.score = empty_score();
        job.cancelled = cancelled;
        job.memory = limits_.memory;
        job.wall_time = limits_.wall_time;
        turn_lane_->start(std::move(job),
                          [this, offered = *offered](caf::expected<evaluation_outcome> outcome) {
                            reloaded(offered, std::move(outcome));
                          });
      });
}

void session_actor_state::reloaded(const io::offered_score& offered,
                                   caf::expected<evaluation_outcome> outcome) {
  if (!running_ || !running_->command) return;
  auto what = outcome ? std::move(*outcome) : fault(outcome.error());
  auto edited = what.what ? whole_score_of(offered.text, *what.what) : fail(what.what.error());
  auto file = called_by_musicians(offered.file);
  if (!edited)
    return effect_done(file + " cannot be loaded\n" + render(edited.error(), offered.text, file) +
                           what_to_do_instead(offered),
                       false);
  auto before = writer_->planned();
  auto delta = diff_snapshots(before->score, edited->score);
  running_->afterwards = [this, offered](bool written) {
    if (written) writer_->score_taken(offered);
  };
  auto besides = what_else_there_is(*edited, offered);
  if (delta.empty()) return effect_done(file + " is the same as the current score" + besides, true);
  auto words = "loaded " + file + ": " + to_string(summarize(delta)) + besides;
  running_->command->delta = std::move(delta);
  auto env = *before->env;
  env.cursor = same_place_in(*edited->score, *before->score, before->env->cursor);
  running_->command->env_change = difference(*before->env, env);
  running_->command->events.push_back(step_made{});
  effect_done(std::move(words), true);
}

void session_actor_state::perform(const line_turn& t, manager_effect& wish) {
  auto boss = manager();
  if (!boss) return effect_done("sessions cannot be managed here", false);
  wish.file = io::with_home(wish.file, t.line.folder);
  if (wish.what != manager_effect::what_t::export_to) return ask_manager(boss, wish);
  // What is here is on the disk before it is packed, where the disk takes it; the archive may be
  // for another one, and the only way to save anything.
  writer_->checkpoint([this, boss, wish](caf::error) {
    if (running_) ask_manager(boss, wish);
  });
}

void session_actor_state::ask_manager(const session_manager_actor& boss,
                                      const manager_effect& wish) {
  auto failed = [this](caf::error& e) { effect_done(in_words(e), false); };
  auto here = writer_->shown()->meta.slug;
  switch (wish.what) {
    case manager_effect::what_t::list:
      if (wish.archived) {
        self_->request(boss, caf::infinite, atom::archived_v)
            .then([this](const std::vector<session_summary>& all) { listed(all, true); }, failed);
        return;
      }
      self_->request(boss, caf::infinite, atom::list_v, atom::sizes_v)
          .then([this](const std::vector<session_summary>& all) { listed(all, false); }, failed);
      return;
    case manager_effect::what_t::create:
      self_->request(boss, caf::infinite, atom::create_v, wish.argument)
          .then([this](const session_ref& made) { changed_to(made, "created "); }, failed);
      return;
    case manager_effect::what_t::change_to:
      self_->request(boss, caf::infinite, atom::activate_v, wish.argument)
          .then([this](const session_ref& found) { changed_to(found, "switched to "); }, failed);
      return;
    case manager_effect::what_t::rename:
      self_->request(boss, caf::infinite, atom::rename_v, here, wish.argument)
          .then([this, wish](const std::string& called) { renamed(wish.argument, called); },
                failed);
      return;
    case manager_effect::what_t::clone:
      self_->request(boss, caf::infinite, atom::clone_v, here, wish.argument)
          .then([this](const session_ref& made) { changed_to(made, "copied to "); }, failed);
      return;
    case manager_effect::what_t::archive:
      return archive_session(boss, wish.argument.empty() ? here : wish.argument, false);
    case manager_effect::what_t::remove:
      if (!wish.confirmed) return ask_for_confirmation(boss, wish.argument);
      return archive_session(boss, wish.argument.empty() ? here : wish.argument, true);
    case manager_effect::what_t::unarchive:
      self_->request(boss, caf::infinite, atom::bring_back_v, wish.argument)
          .then(
              [this](const session_ref& back) {
                auto words =
                    back.slug + " was restored; `:session switch " + back.slug + "` goes there";
                if (!back.instead_of.empty())
                  words += "\nit used to be " + back.instead_of +
                           ", which is now the id of another session";
                effect_done(std::move(words), true);
              },
              failed);
      return;
    case manager_effect::what_t::export_to:
      self_
          ->request(boss, caf::infinite, atom::pack_v,
                    packing{wish.argument.empty() ? here : wish.argument, wish.file, wish.confirmed,
                            wish.perhaps})
          .then(
              [this](const packed_session& packed) {
                auto words = "wrote " + packed.slug + " to " + packed.file;
                for (auto& remark : packed.remarks)
                  words += '\n' + remark;
                effect_done(std::move(words), true);
              },
              failed);
      return;
    case manager_effect::what_t::import_from:
      self_->request(boss, caf::infinite, atom::unpack_v, wish.file, wish.argument)
          .then([this](const session_ref& made) { changed_to(made, "created "); }, failed);
      return;
  }
}

void session_actor_state::ask_for_confirmation(const session_manager_actor& boss,
                                               const std::string& session) {
  auto here = writer_->shown()->meta.slug;
  archive_request what{session.empty() ? here : session, here, true, true};
  self_->request(boss, caf::infinite, atom::archive_session_v, what)
      .then(
          [this](const archive_answer& found) {
            if (!running_) return;
            // Not put into the line: an Enter too many would delete.
            effect_done("session " + found.slug +
                            " was not deleted\nAdd --yes to confirm: `:session delete " +
                            found.slug + " --yes` moves it to the trash.",
                        false);
          },
          [this](caf::error& e) { effect_done(in_words(e), false); });
}

void session_actor_state::archive_session(const session_manager_actor& boss,
                                          const std::string& session, bool to_trash) {
  archive_request what{session, writer_->shown()->meta.slug, to_trash};
  self_->request(boss, caf::infinite, atom::archive_session_v, what)
      .then(
          [this, to_trash](const archive_answer& answer) {
            if (!running_) return;
            if (answer.next.empty())
              return effect_done(
                  answer.slug + " was moved to the " + where_it_lies(answer.slug, to_trash), true);
            // This session itself is moved when everybody has left it; what came of that is said
            // where the musician is then.
            running_->effect = {turn_effect::kind_t::switch_session, answer.next};
            running_->afterwards = [this, slug = answer.slug](bool written) {
              if (auto again = manager()) self_->send(again, atom::left_v, slug, written);
            };
            effect_done("switched to " + answer.next, true);
          },
          [this](caf::error& e) { effect_done(in_words(e), false); });
}

void session_actor_state::renamed(const std::string& wanted, const std::string& called) {
  if (!running_ || !running_->command) return;
  running_->command->events.push_back(meta_changed{called, std::nullopt});
  running_->afterwards = [this](bool) {
    if (auto boss = manager()) self_->send(boss, atom::renamed_v, writer_->shown()->meta.slug);
  };
  effect_done("session renamed to " + called + "; its id is still " + writer_->shown()->meta.slug +
                  (called == wanted ? "" : "\nthere is already a session called " + wanted),
              true);
}

void session_actor_state::changed_to(const session_ref& other, std::string_view what) {
  if (!running_) return;
  running_->effect = {turn_effect::kind_t::switch_session, other.slug};
  auto words = std::string{what} + other.slug;
  for (auto& remark : other.remarks)
    words += '\n' + remark;
  effect_done(std::move(words), true);
}

void session_actor_state::listed(const std::vector<session_summary>& all, bool archived) {
  auto here = writer_->shown()->meta.slug;
  auto line = running_ ? std::get_if<line_turn>(&running_->kind) : nullptr;
  auto mark = [&, in_words = line && line->line.in_words](const session_summary& s) {
    auto is_here = !archived && s.meta.slug == here;
    if (in_words) return is_here ? "current: " : "";
    return is_here ? "* " : "  ";
  };
  std::string lines;
  for (auto& s : all) {
    lines += (lines.empty() ? "" : "\n") + std::string{mark(s)} + session_row(s, clock_);
    if (s.active && s.meta.slug != here) lines += ", active for clients";
    if (!s.written_by.empty()) lines += ", read-only: " + s.written_by + " is writing to it";
  }
  if (lines.empty()) lines = archived ? "the archive is empty" : "no sessions";
  effect_done(std::move(lines), true);
}

void session_actor_state::effect_done(std::string output, bool ok) {
  if (!running_ || !running_->command) return;
  running_->command->output = std::move(output);
  running_->command->ok = ok;
  auto batch = command_transitions(*writer_->planned(), std::get<line_turn>(running_->kind));
  if (!running_->broken) return write_and_answer(std::move(batch));
  running_->only_shows = what_only_shows(*running_, batch);
  written(*running_->broken);
}

session_manager_actor session_actor_state::manager() const {
  return caf::actor_cast<session_manager_actor>(manager_.lock());
}

}  // namespace fermata::actors
