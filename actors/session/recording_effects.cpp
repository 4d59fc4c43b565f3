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
// recorder records (actors/midi/recorder.hpp), the quantizer writes takes down; what it finds
// becomes a proposal.

namespace fermata::actors {

namespace {

/// Whether a request needs the folder of the session.
bool concerns_takes(const recording::request& what) {
  return !std::holds_alternative<recording::list_inputs>(what) &&
         !std::holds_alternative<recording::choose_input>(what);
}

/// The author of proposals made of a take.
entry_source source_of_take(int number) { return {fmt::format("take {}", number), "midi"}; }

std::string reading_lines(const quantized_take& take) {
  auto& chosen = take.readings[take.chosen];
  auto text = described(chosen);
  for (auto& remark : chosen.remarks)
    text += "\nnote: " + remark;
  std::string others;
  for (std::size_t i = 0; i < take.readings.size(); ++i)
    if (i != take.chosen)
      others += fmt::format("{}{} {}", others.empty() ? "" : ", ",
                            to_string(midi::signature_of(take.readings[i].metre)), i + 1);
  if (!others.empty())
    text += fmt::format("\nother readings: {}; `:quantize {} --as N` proposes one", others,
                        take.number);
  return text;
}

}  // namespace

void effect_performer::perform(const request_ptr& r, const recording_effect& effect) {
  auto& what = effect.what;
  if (concerns_takes(what) && core_.folder.empty())
    return r->answer(core_.not_saved_reason.empty()
                         ? "this session has no folder, where takes are kept"
                         : text_of(core_.not_kept()),
                     false);
  if (auto how = std::get_if<recording::quantize>(&what))
    return write_down(r, {nullptr, core_.folder.string(), *how, r->cancelled}, {});
  if (!core_.recorder) return r->answer("recording is not available in this process", false);
  recording_job job{what, core_.shown()->meta.slug, core_.folder.string()};
  core_.self->request(core_.recorder, caf::infinite, std::move(job))
      .then([=, this](const recording_reply& reply) { recorder_answered(r, what, reply); },
            [r](const caf::error& e) { r->answer(text_of(e), false); });
}

/// Ends the recording of this session, and playback; without a recording only that.
void effect_performer::stop_recording(const request_ptr& r, const playback_effect& effect) {
  core_.self->request(core_.recorder, caf::infinite, atom::stop_v, core_.shown()->meta.slug)
      .then(
          [=, this](const recording_reply& reply) {
            if (!reply.take) return play(r, effect);
            if (core_.player) core_.self->send(core_.player, atom::stop_v);
            recorder_answered(r, recording::start{}, reply);
          },
          [r](const caf::error& e) { r->answer(text_of(e), false); });
}

void effect_performer::recorder_answered(const request_ptr& r, const recording::request& what,
                                         const recording_reply& reply) {
  if (reply.take)
    return write_down(r, {reply.take, core_.folder.string(), {}, r->cancelled}, reply.text + '\n');
  if (!std::holds_alternative<recording::choose_input>(what) || reply.input.empty())
    return r->answer(reply.text, true);
  with_files(
      [input = reply.input]() -> result<void> {
        return io::change_setting(io::config_path(io::fermata_home()), "midi-input", input);
      },
      [=, this](const caf::error& failed) {
        if (failed) return r->answer(text_of(failed), false);
        core_.self->send(core_.recorder, atom::prefer_v, reply.input);
        r->answer(reply.text, true);
      });
}

/// `said`: of the take, which is there whatever becomes of its notation; empty: nothing.
void effect_performer::write_down(const request_ptr& r, quantization_job job,
                                  const std::string& said) {
  if (!core_.quantizer) return r->answer(said + "takes cannot be written down here", !said.empty());
  core_.self->request(core_.quantizer, caf::infinite, std::move(job))
      .then([=, this](const quantized_take& take) { propose(r, take, said); },
            [r, said](const caf::error& e) {
              r->answer(said.empty() ? text_of(e) : said + "not written down: " + text_of(e),
                        !said.empty());
            });
}

/// The notation is evaluated as a client's would be, so that it can be accepted in the same way.
void effect_performer::propose(const request_ptr& r, const quantized_take& take,
                               const std::string& said) {
  if (core_.stopping) return;  // its turn has been answered, and the lane is shut down
  evaluation_job job;
  job.request = core_.request_for(take.text, core_.writer->planned());
  job.request.rule = rule_of_proposals(core_.planned());
  job.cancelled = r->cancelled;
  job.memory = core_.limits.memory;
  job.wall_time = core_.limits.wall_time;
  lane_.start(std::move(job), [=, this](caf::expected<evaluation_outcome> outcome) {
    auto what = outcome ? std::move(*outcome) : failed_evaluation(outcome.error());
    if (!what.what)
      return r->answer(said + "not written down: " + render(what.what.error(), take.text, {}),
                       !said.empty());
    proposal_made_of(r, take, said, *what.what);
  });
}

void effect_performer::proposal_made_of(const request_ptr& r, const quantized_take& take,
                                        const std::string& said, const evaluation& what) {
  auto& s = core_.planned();
  auto source = source_of_take(take.number);
  auto number = s.next_proposal;
  effect_done done;
  for (auto& p : s.proposals)
    if (p.state == proposal::state_t::open && p.source == source)
      done.events.push_back(
          proposal_resolved{p.number, false, fmt::format("replaced by proposal {}", number)});
  auto made = proposed(s, number, take.text, source, s.revision, what, core_.now());
  auto& proposal = std::get<proposal_made>(made.events.front()).made;
  proposal.announced = true;  // by this command
  done.output = fmt::format("{}{}\nproposal {}: {}; `:accept {}` takes it, `:hear {}` plays it",
                            said, reading_lines(take), number,
                            change_summary(proposal.delta, proposal.env_change), number, number);
  done.events.push_back(std::move(made.events.front()));
  if (r->accessible) return r->then(std::move(done));  // a picture says nothing there
  constexpr int most_measures = 8;
  auto score = take.readings[take.chosen].score;
  auto count = static_cast<int>(score->parts.front()->measures.size());
  auto picture = std::make_shared<std::string>();
  with_files(
      [=]() -> result<void> {
        auto drawn = interruptibly(r->cancelled, [&] {
          return io::shown_score(score, std::nullopt, std::pair{1, std::min(count, most_measures)},
                                 {"staff", r->terminal.columns, r->terminal.unicode});
        });
        if (drawn) *picture = '\n' + *drawn;
        return {};
      },
      [=](const caf::error&) mutable {
        done.output += *picture;
        if (count > most_measures && !picture->empty())
          done.output += fmt::format("\n... and {} more; `:diff {}` shows them",
                                     count - most_measures, number);
        r->then(std::move(done));
      });
}

}  // namespace fermata::actors
