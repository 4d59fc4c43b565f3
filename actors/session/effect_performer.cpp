#include "actors/session/effect_performer.hpp"

#include "actors/session/error_text.hpp"
#include "actors/session/turn_answers.hpp"
#include "actors/work/interruptible.hpp"
#include "core/session/timeline/cursor_place.hpp"
#include "core/session/timeline/score_text.hpp"
#include "core/session/timeline/whole_score.hpp"
#include "io/display/display.hpp"

#include <algorithm>
#include <utility>

namespace fermata::actors {

namespace {

/// The newest external edit is the file that the user edited, whatever it is called meanwhile.
std::string name_for_user(const io::pending_edit& w) {
  return w.name == io::newest_score_name ? "score.ferm" : w.name;
}

/// After a refusal: score.ferm may have been written again by now.
std::string how_to_correct(const io::offered_score& offered) {
  auto words =
      "It is in " + offered.file.name + ": fix it there or delete it, then enter `:reload`";
  auto next = std::find_if(offered.others.begin(), offered.others.end(),
                           [](auto& other) { return other.branch.empty(); });
  if (next != offered.others.end()) words += "; otherwise " + next->name + " is loaded";
  return words + '.';
}

/// What was not loaded, one line each.
std::string not_loaded(const whole_score& edited, const io::offered_score& offered) {
  std::string lines;
  if (!edited.left_out.empty()) lines += "\nOnly the score is loaded; ignored: " + edited.left_out;
  for (auto& other : offered.others)
    lines += '\n' + other.name + " is waiting too: `:reload` loads it " +
             (other.branch.empty() ? "next, replacing this one" : "on branch " + other.branch);
  return lines;
}

}  // namespace

void effect_performer::perform(const command_effect& effect, terminal_of_line terminal,
                               entry_source source, bool accessible,
                               std::shared_ptr<std::atomic<bool>> cancelled, done then) {
  auto r = std::make_shared<const request>(request{
      std::move(terminal), std::move(source), accessible, std::move(cancelled), std::move(then)});
  std::visit([&](auto& what) { perform(r, what); }, effect);
}

void effect_performer::perform_afterwards(const after_turn& what, bool written) {
  if (auto left = std::get_if<leave_session>(&what)) {
    // This session is moved once everybody has left it; the user is told in the next one.
    if (auto boss = core_.manager()) core_.self->send(boss, atom::left_v, left->slug, written);
  } else if (std::holds_alternative<announce_name>(what)) {
    if (auto boss = core_.manager())
      core_.self->send(boss, atom::renamed_v, core_.shown()->meta.slug);
  } else if (auto offered = std::exchange(reloaded_, std::nullopt); offered && written) {
    core_.writer->score_taken(std::move(*offered));
  }
}

void effect_performer::perform(const request_ptr& r, std::monostate) { r->answer({}, true); }

/// Evaluations are actions of their own.
void effect_performer::perform(const request_ptr& r, const evaluation_effect&) {
  r->answer("unexpected effect: an evaluation", false);
}

void effect_performer::perform(const request_ptr& r, const view_effect& effect) {
  auto shown = std::make_shared<std::string>();
  with_files(
      [r, effect, shown]() -> result<void> {
        auto text = interruptibly(r->cancelled, [&] {
          return io::shown_score(effect.score, effect.part, effect.measures,
                                 {effect.display, r->terminal.columns, r->terminal.unicode});
        });
        if (!text) return fail({errc::cancelled, "interrupted"});
        *shown = std::move(*text);
        return {};
      },
      [r, shown](const caf::error& failed) {
        if (failed) return r->answer(text_of(failed), false);
        r->answer(std::move(*shown), true);
      });
}

void effect_performer::perform(const request_ptr& r, const save_effect&) {
  auto done = [this, r](const caf::error& failed) {
    if (failed) return r->answer("not saved: " + text_of(failed), false);
    // Messages that were pending could perhaps not be written before; they stay pending.
    effect_done result{"saved " + core_.shown()->meta.slug, true};
    result.saved = true;
    r->then(std::move(result));
  };
  if (!core_.not_saved_reason.empty()) return done(core_.not_kept());
  core_.writer->save([this, done](caf::error failed) {
    if (failed)
      done(failed);
    else
      core_.writer->flush(done);
  });
}

void effect_performer::perform(const request_ptr& r, const reload_effect&) {
  core_.writer->edited_score([this, r](caf::expected<io::offered_score> offered) {
    if (core_.stopping) return;  // its turn has been answered, and the lane is shut down
    if (!offered) return r->answer(text_of(offered.error()), false);
    // As a file is read: on an empty score, without the definitions of this session.
    evaluation_job job;
    job.request.text = offered->text;
    job.request.env = std::make_shared<const environment>();
    job.request.score = empty_score();
    job.cancelled = r->cancelled;
    job.memory = core_.limits.memory;
    job.wall_time = core_.limits.wall_time;
    lane_.start(std::move(job),
                [this, r, offered = *offered](caf::expected<evaluation_outcome> outcome) {
                  reloaded(r, offered, std::move(outcome));
                });
  });
}

void effect_performer::reloaded(const request_ptr& r, const io::offered_score& offered,
                                caf::expected<evaluation_outcome> outcome) {
  auto what = outcome ? std::move(*outcome) : failed_evaluation(outcome.error());
  auto edited = what.what ? whole_score_of(offered.text, *what.what) : fail(what.what.error());
  auto file = name_for_user(offered.file);
  if (!edited)
    return r->answer(file + " cannot be loaded\n" + render(edited.error(), offered.text, file) +
                         how_to_correct(offered),
                     false);
  with_change(
      r, edited->score, "interrupted; " + file + " was not loaded",
      [=, this, score = edited->score, more = not_loaded(*edited, offered)](score_delta delta) {
        reloaded_ = offered;
        if (delta.empty()) {
          effect_done result{file + " is the same as the current score" + more, true};
          result.afterwards = keep_reloaded{};
          return r->then(std::move(result));
        }
        auto output = "loaded " + file + ": " + to_string(summarize(delta)) + more;
        replace_score(r, score, std::move(output), std::move(delta), keep_reloaded{});
      });
}

/// The score is replaced as one step of `:undo`; the cursor stays at the corresponding position.
void effect_performer::replace_score(const request_ptr& r, const score_ptr& with,
                                     std::string output, score_delta delta,
                                     std::optional<after_turn> afterwards) {
  auto& before = core_.planned();
  effect_done result{std::move(output), true};
  result.delta = std::move(delta);
  auto env = *before.env;
  env.cursor = same_place_in(*with, *before.score, before.env->cursor);
  result.env_change = difference(*before.env, env);
  result.events.push_back(step_made{});
  result.afterwards = std::move(afterwards);
  r->then(std::move(result));
}

}  // namespace fermata::actors
