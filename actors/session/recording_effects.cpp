#include "actors/session/effect_performer.hpp"
#include "actors/session/error_text.hpp"
#include "actors/session/turn_answers.hpp"
#include "actors/work/interruptible.hpp"
#include "core/session/timeline/decide.hpp"
#include "core/session/timeline/score_text.hpp"
#include "io/config/config_file.hpp"
#include "io/display/display.hpp"
#include "io/store/home.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

// Recording and takes: `:record`, `:keep`, `:takes`, `:quantize`, and `:stop` of a recording. The
// recorder records (actors/midi/recorder.hpp), the quantizer transcribes; the result becomes a
// proposal.

namespace fermata::actors {

namespace {

/// Whether a request needs the folder of the session.
bool concerns_takes(const recording::request& what) {
  return !std::holds_alternative<recording::list_inputs>(what) &&
         !std::holds_alternative<recording::choose_input>(what) &&
         !std::holds_alternative<recording::change_thru>(what) &&
         !std::holds_alternative<recording::enter_steps>(what);
}

/// The author of proposals made of a take.
entry_source source_of_take(int number) { return {fmt::format("take {}", number), "midi"}; }

/// The command that transcribed it, up to the number of the reading.
std::string command_for(int number, const recording::quantize& how) {
  auto text = fmt::format(":quantize {}", number);
  if (!how.meter.empty()) text += " --meter " + how.meter;
  if (how.tempo) text += fmt::format(" --tempo {}", *how.tempo);
  if (how.grid != recording::quantize{}.grid) text += fmt::format(" --grid {}", how.grid);
  const recording::quantize usual;
  if (how.triplets != usual.triplets || how.quintuplets != usual.quintuplets)
    text += std::string{" --tuplets "} + (how.triplets && how.quintuplets ? "3,5"
                                          : how.triplets                  ? "3"
                                          : how.quintuplets               ? "5"
                                                                          : "none");
  if (how.swing != usual.swing) text += " --swing " + how.swing;
  return text;
}

std::string reading_lines(const quantized_take& take, const recording::quantize& how) {
  auto& chosen = take.readings[take.chosen];
  auto text = described(chosen);
  for (auto& remark : chosen.remarks)
    text += "\nnote: " + remark;
  std::string others;
  std::size_t next = 0;
  for (std::size_t i = 0; i < take.readings.size(); ++i) {
    if (i == take.chosen) continue;
    if (others.empty()) next = i + 1;
    others += fmt::format("{}{}: {}", others.empty() ? "" : ", ", i + 1,
                          to_string(midi::signature_of(take.readings[i].metre)));
  }
  if (!others.empty())
    text += fmt::format("\nother readings: {}; `{} --as {}` proposes number {}", others,
                        command_for(take.number, how), next, next);
  return text;
}

}  // namespace

void effect_performer::perform(const request_ptr& r, const recording_effect& effect) {
  auto& what = effect.what;
  if (concerns_takes(what) && core_.folder.empty())
    return r->answer(core_.not_saved_reason.empty()
                         ? "this session is not saved, so it cannot keep takes\nStart Fermata "
                           "with `--session NAME`."
                         : text_of(core_.not_kept()),
                     false);
  if (auto how = std::get_if<recording::quantize>(&what))
    return transcribe(
        r, {nullptr, core_.folder.string(), *how, core_.planned().score, r->cancelled}, {});
  if (!core_.recorder) return r->answer("recording is not available in this process", false);
  recording_job job{what,
                    core_.shown()->meta.slug,
                    core_.folder.string(),
                    session_actor{core_.self},
                    r->source,
                    {},
                    core_.clock};
  if (auto start = std::get_if<recording::start>(&what); start && start->with) {
    job.with = job_of(*start->with, r->source);
    job.with->cancelled = r->cancelled;
  }
  core_.self->request(core_.recorder, caf::infinite, std::move(job))
      .then([=, this](const recording_reply& reply) { recorder_answered(r, reply); },
            [r](const caf::error& e) { r->answer(text_of(e), false); });
}

/// Ends the recording of this session, and playback; without a recording only that. A client ends
/// only what it plays itself.
void effect_performer::stop_recording(const request_ptr& r, const playback_effect& effect) {
  core_.self->request(core_.recorder, caf::infinite, atom::stop_v, core_.shown()->meta.slug)
      .then(
          [=, this](const recording_reply& reply) {
            if (!reply.take) return play(r, effect);
            if (core_.player) core_.self->send(core_.player, atom::stop_v);
            recorder_answered(r, reply);
          },
          // What is playing may belong to the take of the other session.
          [r](const caf::error& e) { r->answer(text_of(e), false); });
}

void effect_performer::recorder_answered(const request_ptr& r, const recording_reply& reply) {
  if (reply.take)
    return transcribe(r,
                      {reply.take, core_.folder.string(), {}, core_.planned().score, r->cancelled},
                      reply.text + '\n');
  auto& [name, value] = reply.setting;
  if (name.empty()) return r->answer(reply.text, true);
  with_files(
      [setting = reply.setting]() -> result<void> {
        return io::change_setting(io::config_path(io::fermata_home()), setting.first,
                                  setting.second);
      },
      [=, this](const caf::error& failed) {
        if (failed) return r->answer(text_of(failed), false);
        core_.self->send(core_.recorder, atom::prefer_v, reply.setting.first, reply.setting.second);
        r->answer(reply.text, true);
      });
}

/// `said`: of the take, which is there whatever becomes of its notation; empty: nothing.
void effect_performer::transcribe(const request_ptr& r, quantization_job job,
                                  const std::string& said) {
  if (!core_.quantizer)
    return r->answer(said + "takes cannot be transcribed in this process", !said.empty());
  auto how = job.how;
  core_.self->request(core_.quantizer, caf::infinite, std::move(job))
      .then(
          [=, this](const quantized_take& take) {
            evaluate_take(r, {take, how, said});
          },
          [r, said](const caf::error& e) {
            r->answer(said.empty() ? text_of(e) : said + "not transcribed: " + text_of(e),
                      !said.empty());
          });
}

/// The notation is evaluated as a client's would be, so that it can be accepted in the same way.
void effect_performer::evaluate_take(const request_ptr& r, const transcribed_take& t) {
  if (core_.stopping) return;  // its turn has been answered, and the lane is shut down
  evaluation_job job;
  job.request = core_.request_for(t.take.text, core_.writer->planned());
  job.request.rule = rule_of_proposals(core_.planned());
  job.cancelled = r->cancelled;
  job.memory = core_.limits.memory;
  job.wall_time = core_.limits.wall_time;
  lane_.start(std::move(job), [=, this](caf::expected<evaluation_outcome> outcome) {
    auto what = outcome ? std::move(*outcome) : failed_evaluation(outcome.error());
    if (!what.what)
      return r->answer(t.said + "not transcribed: " + render(what.what.error(), t.take.text, {}),
                       !t.said.empty());
    draw_take(r, t, std::make_shared<const evaluation>(std::move(*what.what)));
  });
}

/// The beginning on a staff, before the proposal is made: clients may make others meanwhile.
void effect_performer::draw_take(const request_ptr& r, const transcribed_take& t,
                                 std::shared_ptr<const evaluation> what) {
  constexpr int most_measures = 8;
  auto score = t.take.readings[t.take.chosen].score;
  auto count = static_cast<int>(score->parts.front()->measures.size());
  auto picture = std::make_shared<std::string>();
  with_files(
      [=]() -> result<void> {
        if (r->accessible) return {};  // a picture says nothing there
        auto drawn = interruptibly(r->cancelled, [&] {
          return io::shown_score(score, std::nullopt, std::pair{1, std::min(count, most_measures)},
                                 {"staff", r->terminal.columns, r->terminal.unicode});
        });
        if (drawn) *picture = '\n' + *drawn;
        return {};
      },
      [=, this](const caf::error&) {
        if (count > most_measures && !picture->empty())
          *picture += fmt::format("\n... and {} more measures", count - most_measures);
        propose_take(r, t, *what, *picture);
      });
}

void effect_performer::propose_take(const request_ptr& r, const transcribed_take& t,
                                    const evaluation& what, const std::string& picture) {
  auto& s = core_.planned();
  auto source = source_of_take(t.take.number);
  auto number = s.next_proposal;
  effect_done done;
  for (auto& p : s.proposals)
    if (p.state == proposal::state_t::open && p.source == source)
      done.events.push_back(
          proposal_resolved{p.number, false, fmt::format("replaced by proposal {}", number)});
  auto made = proposed(s, number, t.take.text, source, s.revision, what, core_.now());
  auto& proposal = std::get<proposal_made>(made.events.front()).made;
  proposal.announced = true;  // by this command
  done.output =
      fmt::format("{}{}\nproposal {}: {}; `:accept {}` accepts it, `:hear {}` plays it{}", t.said,
                  reading_lines(t.take, t.how), number,
                  change_summary(proposal.delta, proposal.env_change), number, number, picture);
  done.events.push_back(std::move(made.events.front()));
  r->then(std::move(done));
}

}  // namespace fermata::actors
