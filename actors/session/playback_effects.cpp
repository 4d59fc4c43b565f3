#include "actors/session/effect_performer.hpp"
#include "actors/session/error_text.hpp"
#include "actors/session/turn_answers.hpp"
#include "core/session/timeline/author.hpp"
#include "io/config/config_file.hpp"
#include "io/store/home.hpp"

#include <utility>

// Playback and MIDI devices: `:play`, `:midi ...`. The player does it (actors/midi/player.hpp).

namespace fermata::actors {

void effect_performer::perform(const request_ptr& r, const playback_effect& effect) {
  if (core_.recorder && is_user(r->source) && std::holds_alternative<playback::stop>(effect.what))
    return stop_recording(r, effect);
  play(r, effect);
}

void effect_performer::play(const request_ptr& r, const playback_effect& effect) {
  if (!core_.player) return r->answer("playback is not available in this process", false);
  auto play = std::get_if<playback::play>(&effect.what);
  if (play && !play->passages.front().expression.empty()) return evaluate_passage(r, *play);
  ask_player(r, effect.what);
}

/// The music of an expression alone, as `(play ...)` takes it. Nothing of the evaluation is kept.
void effect_performer::evaluate_passage(const request_ptr& r, playback::play what) {
  evaluation_job job;
  auto text = "(play " + what.passages.front().expression + "\n)";
  job.request = core_.request_for(text, core_.writer->planned());
  job.request.rule = commit_rule::nothing;
  job.cancelled = r->cancelled;
  job.memory = core_.limits.memory;
  job.wall_time = is_user(r->source) ? core_.limits.wall_time : core_.limits.remote_wall_time;
  auto env = job.request.env;
  lane_.start(std::move(job), [=, this](caf::expected<evaluation_outcome> outcome) mutable {
    auto result = outcome ? std::move(*outcome) : failed_evaluation(outcome.error());
    if (!result.what) return r->answer(render(result.what.error(), text, {}), false);
    if (result.what->played.empty()) return r->answer("there is nothing to play", false);
    auto& passage = what.passages.front();
    // The last one: the expression may play something itself.
    passage.music = result.what->played.back();
    passage.env = env;
    ask_player(r, std::move(what));
  });
}

playback_job effect_performer::job_of(playback::request what, const entry_source& source) const {
  playback_job job;
  job.what = std::move(what);
  job.session = core_.shown()->meta.slug;
  job.of = session_actor{core_.self};
  job.settings = core_.planned().settings;
  job.who = source;
  return job;
}

void effect_performer::ask_player(const request_ptr& r, playback::request what) {
  auto job = job_of(what, r->source);
  job.cancelled = r->cancelled;
  core_.self->request(core_.player, caf::infinite, std::move(job))
      .then([=, this](const playback_reply& reply) { player_answered(r, what, reply); },
            [r](const caf::error& e) { r->answer(text_of(e), false); });
}

void effect_performer::player_answered(const request_ptr& r, const playback::request& what,
                                       const playback_reply& reply) {
  effect_done done{reply.text, true};
  if (std::holds_alternative<playback::connect>(what)) {
    auto own = core_.planned().settings.find("midi-device");
    auto before = own == core_.planned().settings.end() ? std::string{} : own->second;
    auto after = reply.device.empty() ? std::nullopt : std::optional{reply.device};
    if (before != reply.device) done.events.push_back(setting_changed{"midi-device", after});
  } else if (std::holds_alternative<playback::change_default>(what) && !reply.device.empty()) {
    return with_files(
        [device = reply.device]() -> result<void> {
          return io::change_setting(io::config_path(io::fermata_home()), "midi-device", device);
        },
        [=, this](const caf::error& failed) {
          if (failed) return r->answer(text_of(failed), false);
          core_.self->send(core_.player, atom::prefer_v, reply.device);
          r->answer(reply.text, true);
        });
  }
  r->then(std::move(done));
}

}  // namespace fermata::actors
