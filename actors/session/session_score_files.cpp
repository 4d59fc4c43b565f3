// `:export`, `:import`, `:run`: the score, or a program, in a file of the user's own. The file is
// read and written by a clerk, programs are evaluated in the lane of the session's turns; the score
// changes when all of it went well, as one step.

#include "actors/session/session.hpp"
#include "actors/work/interruptible.hpp"
#include "core/lang/syntax/token.hpp"
#include "core/session/commands/classify.hpp"
#include "core/session/timeline/cursor_place.hpp"
#include "core/session/timeline/score_text.hpp"
#include "core/session/timeline/whole_score.hpp"
#include "io/files/files.hpp"
#include "io/files/formats.hpp"
#include "io/store/home.hpp"
#include "messages/errors.hpp"

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <memory>
#include <utility>

namespace fermata::actors {

namespace {

std::string why_not(const error& e) {
  auto& first = e.first();
  return first.message + (first.hint.empty() ? "" : '\n' + first.hint);
}

std::string why_not(const caf::error& e) {
  auto detail = detail_of(e);
  return detail.message + (detail.advice.empty() ? "" : '\n' + detail.advice);
}

/// The first few of many remarks, a line each.
std::string remark_lines(std::string_view prefix, const std::vector<diagnostic>& all) {
  constexpr std::size_t most = 5;
  std::string lines;
  for (std::size_t i = 0; i < std::min(all.size(), most); ++i)
    lines += '\n' + std::string{prefix} + all[i].message;
  if (all.size() > most) lines += "\n... and " + std::to_string(all.size() - most) + " more";
  return lines;
}

bool is_taken(const std::string& file) {
  std::error_code unknown;
  auto status = std::filesystem::symlink_status(file, unknown);
  return status.type() != std::filesystem::file_type::not_found;
}

result<void> write_score(const score& s, const io::score_format& format, const std::string& file,
                         bool replaces, std::string& remarks,
                         const std::shared_ptr<std::atomic<bool>>& cancelled) {
  if (!replaces && is_taken(file))
    return fail({errc::unwritable_file, file + " already exists", std::nullopt,
                 "Add --yes to replace it."});
  auto made = interruptibly(cancelled, [&] { return format.write(s, io::writing::completed); });
  if (!made) return fail({errc::cancelled, "interrupted; did not write " + file});
  auto& out = *made;
  if (!out) return fail(out.error());
  if (auto done = io::write_file(file, out->bytes); !done) return done;
  remarks = remark_lines("", out->left_out);  // they say so themselves
  return {};
}

/// Why a file is not a program: MusicXML, prompt commands, or nothing at all.
std::optional<error> not_a_program(const std::string& text) {
  if (&io::format_of_bytes(text) != io::format_by_name("fermata"))
    return error{errc::unsupported_format, "this is MusicXML, not Fermata text", std::nullopt,
                 "Give the file the extension .musicxml; `:import` reads it."};
  if (auto lines = prompt_lines_in(text); !lines.diagnostics.empty()) return lines;
  if (without_blanks(text).empty()) return error{errc::invalid_score, "the file is empty"};
  return std::nullopt;
}

std::string counted_expressions(std::size_t n) {
  return std::to_string(n) + (n == 1 ? " expression" : " expressions");
}

}  // namespace

void session_actor_state::perform(const line_turn& t, score_file_effect& wish) {
  using what_t = score_file_effect::what_t;
  auto file = io::with_home(wish.file, t.line.folder);
  // From standard input or to standard output is a matter of the command line.
  if (file == "-") return effect_done("`-` is not a file name\nName the file.", false);
  if (wish.what == what_t::export_to) return export_score(file, wish.replaces, t.line.cancelled);
  auto format = io::format_of_path(file);
  if (!format) return effect_done(why_not(format.error()), false);
  auto is_program = (*format)->name == "fermata";
  if (wish.what == what_t::run && !is_program)
    return effect_done(
        file + " is not Fermata text, so it cannot be run\n`:import` reads a score file.", false);
  if (!(*format)->read)
    return effect_done(file + ": " + std::string{(*format)->description} + " can only be written",
                       false);
  if (is_program) return read_program(file, wish.what == what_t::run, t.line.cancelled);
  read_score(file, t.line.cancelled);
}

/// Blocking work, on the shared workers.
void session_actor_state::with_files(std::function<result<void>()> work,
                                     std::function<void(caf::error)> then) {
  auto clerk = self_->spawn(file_clerk, workers_, work_kind::user_file);
  // The handlers hold the clerk, which ends with them.
  self_->request(clerk, caf::infinite, file_job{std::move(work)})
      .then(
          [this, clerk, then] {
            if (running_) then(caf::none);
          },
          [this, clerk, then](caf::error& reason) {
            if (running_) then(std::move(reason));
          });
}

void session_actor_state::export_score(const std::string& file, bool replaces,
                                       const std::shared_ptr<std::atomic<bool>>& cancelled) {
  auto format = io::format_of_path(file);
  if (!format) return effect_done(why_not(format.error()), false);
  auto score = writer_->planned()->score;
  if (score->parts.empty()) return effect_done("the score is empty; did not write " + file, false);
  auto remarks = std::make_shared<std::string>();
  with_files(
      [=, format = *format] {
        return write_score(*score, *format, file, replaces, *remarks, cancelled);
      },
      [=, this, format = *format](const caf::error& failed) {
        if (failed) return effect_done(why_not(failed), false);
        effect_done("wrote " + file + " (" + std::string{format->description} +
                        "): " + summary(*score) + *remarks,
                    true);
      });
}

void session_actor_state::read_score(const std::string& file,
                                     const std::shared_ptr<std::atomic<bool>>& cancelled) {
  struct found {
    io::document document;
    std::string fault;
  };
  auto read = std::make_shared<found>();
  with_files(
      [=]() -> result<void> {
        auto format = io::format_of_path(file);
        auto bytes = io::read_file(file, (*format)->most_bytes);
        if (!bytes) return fail(bytes.error());
        auto done = (*format)->read(*bytes, file);
        if (done)
          read->document = std::move(*done);
        else
          read->fault = render(done.error(), *bytes, file);
        return {};
      },
      [=, this](const caf::error& failed) {
        if (failed) return effect_done(why_not(failed), false);
        if (!read->fault.empty()) return effect_done(read->fault + "Nothing was imported.", false);
        if (is_set(cancelled)) return effect_done("interrupted; nothing was imported", false);
        score_read(file, read->document.score, remark_lines("warning: ", read->document.warnings));
      });
}

/// The score takes the place of the one there is.
void session_actor_state::score_read(const std::string& file, const score_ptr& read,
                                     const std::string& remarks) {
  if (!running_->command) return;
  if (read->parts.empty())
    return effect_done(file + " has no music; the score is unchanged", false);
  auto before = writer_->planned();
  auto delta = diff_snapshots(before->score, read);
  if (delta.empty()) return effect_done(file + " is the same as the current score" + remarks, true);
  auto words = before->score->parts.empty()
                   ? "imported " + file
                   : "replaced the score with " + file + "; `:undo` restores the old one";
  words += '\n' + summary(*read) + remarks;
  running_->command->delta = std::move(delta);
  auto env = *before->env;
  env.cursor = same_place_in(*read, *before->score, before->env->cursor);
  running_->command->env_change = difference(*before->env, env);
  running_->command->events.push_back(step_made{});
  effect_done(std::move(words), true);
}

void session_actor_state::read_program(const std::string& file, bool in_session,
                                       const std::shared_ptr<std::atomic<bool>>& cancelled) {
  auto text = std::make_shared<std::string>();
  with_files(
      [=]() -> result<void> {
        auto bytes = io::read_file(file);
        if (!bytes) return fail(bytes.error());
        *text = std::move(*bytes);
        return {};
      },
      [=, this](const caf::error& failed) {
        if (failed) return effect_done(why_not(failed), false);
        if (auto wrong = not_a_program(*text))
          return effect_done(render(*wrong, *text, file) + "Nothing was changed.", false);
        evaluation_job job;
        if (in_session) {
          job.request = request_for(*text, writer_->planned());
        } else {
          // As any score file is read: from nothing.
          job.request.text = *text;
          job.request.env = std::make_shared<const environment>();
          job.request.score = empty_score();
        }
        // All of a file is meant, as when it is compiled.
        job.request.rule = commit_rule::everything;
        job.cancelled = cancelled;
        job.wall_time = limits_.wall_time;
        turn_lane_->start(std::move(job), [=, this](caf::expected<evaluation_outcome> outcome) {
          if (!running_) return;
          if (in_session) return program_run(file, *text, std::move(outcome));
          auto what = outcome ? std::move(*outcome) : fault(outcome.error());
          if (!what.what)
            return effect_done(render(what.what.error(), *text, file) + "Nothing was imported.",
                               false);
          score_read(file, what.what->score, {});
        });
      });
}

void session_actor_state::program_run(const std::string& file, const std::string& text,
                                      caf::expected<evaluation_outcome> outcome) {
  if (!running_->command) return;
  auto what = outcome ? std::move(*outcome) : fault(outcome.error());
  if (!what.what)
    return effect_done(render(what.what.error(), text, file) + "Nothing was changed.", false);
  auto before = writer_->planned();
  auto change = difference(*before->env, *what.what->env);
  auto words = "ran " + file + ": " + counted_expressions(what.what->forms.size()) + "; " +
               change_summary(what.what->delta, change);
  auto changed = !what.what->delta.empty() || !change.empty();
  running_->command->delta = std::move(what.what->delta);
  running_->command->env_change = std::move(change);
  if (changed) running_->command->events.push_back(step_made{});
  effect_done(std::move(words), true);
}

}  // namespace fermata::actors
