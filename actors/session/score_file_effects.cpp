#include "actors/session/effect_performer.hpp"
#include "actors/session/error_text.hpp"
#include "actors/session/turn_answers.hpp"
#include "actors/work/file_worker.hpp"
#include "actors/work/interruptible.hpp"
#include "core/lang/syntax/token.hpp"
#include "core/session/commands/classify.hpp"
#include "core/session/timeline/score_text.hpp"
#include "core/session/timeline/whole_score.hpp"
#include "io/files/files.hpp"
#include "io/formats/formats.hpp"
#include "io/store/home.hpp"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <utility>

// `:export`, `:import`, `:run`: the score, or a program, in a file of the user. The file is read
// and written by a worker, programs are evaluated in the lane of the session's turns; the score
// changes when all of it went well, as one step.

namespace fermata::actors {

namespace {

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

void effect_performer::perform(const request_ptr& r, const score_file_effect& effect) {
  using what_t = score_file_effect::what_t;
  auto file = io::expand_path(effect.file, r->terminal.folder);
  // Standard input and output are for the command line.
  if (file == "-") return r->answer("`-` is not a file name\nName the file.", false);
  if (effect.what == what_t::export_to) return export_score(r, file, effect.replaces);
  auto format = io::format_of_path(file);
  if (!format) return r->answer(text_of(format.error()), false);
  auto is_program = (*format)->name == "fermata";
  if (effect.what == what_t::run && !is_program)
    return r->answer(
        file + " is not Fermata text, so it cannot be run\n`:import` reads a score file.", false);
  if (!(*format)->read)
    return r->answer(file + ": " + std::string{(*format)->description} + " can only be written",
                     false);
  if (is_program) return read_program(r, file, effect.what == what_t::run);
  read_score(r, file);
}

/// Blocking work, on the shared workers.
void effect_performer::with_files(std::function<result<void>()> work,
                                  std::function<void(caf::error)> then) {
  auto worker = core_.self->spawn(file_worker, core_.workers, work_kind::user_file);
  // The handlers hold the worker, which ends with them.
  core_.self->request(worker, caf::infinite, file_job{std::move(work)})
      .then([worker, then] { then(caf::none); },
            [worker, then](caf::error& reason) { then(std::move(reason)); });
}

/// The change from the current score to this one, which takes long for large scores that share
/// nothing. `interrupted`: what to say if the user interrupts it.
void effect_performer::with_change(const request_ptr& r, const score_ptr& to,
                                   std::string interrupted, std::function<void(score_delta)> then) {
  auto change = std::make_shared<score_delta>();
  // It stays the current one until the turn has ended.
  auto before = core_.planned().score;
  with_files(
      [=, interrupted = std::move(interrupted)]() -> result<void> {
        auto made = interruptibly(r->cancelled, [&] { return diff_snapshots(before, to); });
        if (!made) return fail({errc::cancelled, interrupted});
        *change = std::move(*made);
        return {};
      },
      [=, then = std::move(then)](const caf::error& failed) {
        if (failed) return r->answer(text_of(failed), false);
        then(std::move(*change));
      });
}

void effect_performer::export_score(const request_ptr& r, const std::string& file, bool replaces) {
  auto format = io::format_of_path(file);
  if (!format) return r->answer(text_of(format.error()), false);
  auto score = core_.planned().score;
  if (score->parts.empty()) return r->answer("the score is empty; did not write " + file, false);
  auto remarks = std::make_shared<std::string>();
  with_files(
      [=, format = *format, cancelled = r->cancelled] {
        return write_score(*score, *format, file, replaces, *remarks, cancelled);
      },
      [=, format = *format](const caf::error& failed) {
        if (failed) return r->answer(text_of(failed), false);
        r->answer("wrote " + file + " (" + std::string{format->description} +
                      "): " + summary(*score) + *remarks,
                  true);
      });
}

void effect_performer::read_score(const request_ptr& r, const std::string& file) {
  struct found {
    io::document document;
    score_delta delta;
    std::string fault;
  };
  auto read = std::make_shared<found>();
  // It stays the current one until the turn has ended.
  auto before = core_.planned().score;
  with_files(
      [=]() -> result<void> {
        auto format = io::format_of_path(file);
        auto bytes = io::read_file(file, (*format)->most_bytes);
        if (!bytes) return fail(bytes.error());
        auto done = interruptibly(r->cancelled, [&]() -> result<void> {
          auto document = (*format)->read(*bytes, file);
          if (!document) return fail(document.error());
          read->delta = diff_snapshots(before, document->score);
          read->document = std::move(*document);
          return {};
        });
        // Whatever else it was that failed, the interruption may be why.
        if (is_set(r->cancelled))
          return fail({errc::cancelled, "interrupted; nothing was imported"});
        if (done && !*done) read->fault = render(done->error(), *bytes, file);
        return {};
      },
      [=, this](const caf::error& failed) {
        if (failed) return r->answer(text_of(failed), false);
        if (!read->fault.empty()) return r->answer(read->fault + "Nothing was imported.", false);
        if (is_set(r->cancelled)) return r->answer("interrupted; nothing was imported", false);
        score_read(r, file, read->document.score, std::move(read->delta),
                   remark_lines("warning: ", read->document.warnings));
      });
}

/// The score replaces the current one.
void effect_performer::score_read(const request_ptr& r, const std::string& file,
                                  const score_ptr& read, score_delta delta,
                                  const std::string& remarks) {
  if (read->parts.empty()) return r->answer(file + " has no music; the score is unchanged", false);
  auto& before = core_.planned();
  if (delta.empty()) return r->answer(file + " is the same as the current score" + remarks, true);
  auto output = before.score->parts.empty()
                    ? "imported " + file
                    : "replaced the score with " + file + "; `:undo` restores the old one";
  output += '\n' + summary(*read) + remarks;
  replace_score(r, read, std::move(output), std::move(delta));
}

void effect_performer::read_program(const request_ptr& r, const std::string& file,
                                    bool in_session) {
  auto text = std::make_shared<std::string>();
  with_files(
      [=]() -> result<void> {
        auto bytes = io::read_file(file);
        if (!bytes) return fail(bytes.error());
        *text = std::move(*bytes);
        return {};
      },
      [=, this](const caf::error& failed) {
        if (core_.stopping) return;  // its turn has been answered, and the lane is shut down
        if (failed) return r->answer(text_of(failed), false);
        program_read(r, file, *text, in_session);
      });
}

void effect_performer::program_read(const request_ptr& r, const std::string& file,
                                    const std::string& text, bool in_session) {
  if (auto wrong = not_a_program(text))
    return r->answer(render(*wrong, text, file) + "Nothing was changed.", false);
  evaluation_job job;
  if (in_session) {
    job.request = core_.request_for(text, core_.writer->planned());
  } else {
    // As any score file is read: from nothing.
    job.request.text = text;
    job.request.env = std::make_shared<const environment>();
    job.request.score = empty_score();
  }
  // All of a file is meant, as when it is compiled.
  job.request.rule = commit_rule::everything;
  job.cancelled = r->cancelled;
  job.memory = core_.limits.memory;
  job.wall_time = core_.limits.wall_time;
  lane_.start(std::move(job), [=, this](caf::expected<evaluation_outcome> outcome) {
    auto what = outcome ? std::move(*outcome) : failed_evaluation(outcome.error());
    if (in_session) return program_run(r, file, text, std::move(what));
    if (!what.what)
      return r->answer(render(what.what.error(), text, file) + "Nothing was imported.", false);
    with_change(r, what.what->score, "interrupted; nothing was imported",
                [=, this, score = what.what->score](score_delta delta) {
                  score_read(r, file, score, std::move(delta), {});
                });
  });
}

void effect_performer::program_run(const request_ptr& r, const std::string& file,
                                   const std::string& text, evaluation_outcome outcome) {
  auto& what = outcome.what;
  if (!what) return r->answer(render(what.error(), text, file) + "Nothing was changed.", false);
  effect_done result;
  auto change = difference(*core_.planned().env, *what->env);
  result.output = "ran " + file + ": " + counted_expressions(what->forms.size()) + "; " +
                  change_summary(what->delta, change);
  if (!what->delta.empty() || !change.empty()) result.events.push_back(step_made{});
  result.delta = std::move(what->delta);
  result.env_change = std::move(change);
  r->then(std::move(result));
}

}  // namespace fermata::actors
