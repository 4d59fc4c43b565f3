#include "actors/midi/player.hpp"

#include "actors/midi/midi_out.hpp"
#include "actors/midi/plan_maker.hpp"
#include "actors/work/guarded.hpp"
#include "core/session/commands/score_selection.hpp"
#include "core/session/timeline/author.hpp"
#include "core/session/timeline/state.hpp"
#include "messages/errors.hpp"
#include "midi/sound/device_choice.hpp"

#include <caf/all.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <set>
#include <utility>

namespace fermata::actors {

namespace {

playback_status::state_t state_of(midi::transport_position::state_t s) {
  switch (s) {
    case midi::transport_position::state_t::stopped: break;
    case midi::transport_position::state_t::counting_in:
      return playback_status::state_t::counting_in;
    case midi::transport_position::state_t::playing: return playback_status::state_t::playing;
    case midi::transport_position::state_t::paused: return playback_status::state_t::paused;
  }
  return playback_status::state_t::stopped;
}

std::string in_percent(double factor) {
  return std::to_string(static_cast<int>(std::lround(factor * 100))) + '%';
}

std::chrono::milliseconds in_ms(std::chrono::nanoseconds t) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(t);
}

/// The clicks of a measure, for the count-in.
int beats_at(const prepared_passage& p) {
  auto bar = midi::bar_at(*p.plan, p.range.from);
  return bar < p.plan->bars.size() ? std::max(p.plan->bars[bar].beats, 1) : 4;
}

/// The end of the options: `max` is the end of the plan, also after an edit.
std::chrono::nanoseconds end_of(const prepared_passage& p) {
  return p.range.to < p.plan->end ? p.range.to : std::chrono::nanoseconds::max();
}

}  // namespace

player_state::~player_state() {
  if (out_) caf::anon_send_exit(out_, caf::exit_reason::user_shutdown);
}

void player_state::start(player_setup setup) {
  setup_ = std::move(setup);
  plans_ = self_->spawn(plan_maker, setup_.workers);
  hub_ = setup_.hub;
}

// --- requests ------------------------------------------------------------------------------------

caf::result<playback_reply> player_state::perform(playback_job job) {
  auto what = std::exchange(job.what, {});
  return std::visit([&](auto& x) { return perform(job, x); }, what);
}

/// The user's playback is the user's; a client may do what it likes with its own.
std::optional<caf::error> player_state::refusal_of(const playback_job& job) const {
  if (is_user(job.who) || !current_ || current_->job.who.author == job.who.author)
    return std::nullopt;
  return make_problem(problem::invalid_state,
                      current_->job.who.author + " is playing " + status_.what +
                          "; clients cannot interrupt it",
                      "Ask the user to stop it.");
}

std::optional<caf::error> player_state::nothing_plays() const {
  if (current_) return std::nullopt;
  return make_problem(problem::invalid_state, "nothing is playing", "`:play` plays the score.");
}

caf::result<playback_reply> player_state::perform(playback_job& job, playback::play& what) {
  if (!hub_) return no_sound();
  if (auto refusal = refusal_of(job)) return std::move(*refusal);
  auto p = std::make_shared<preparation>();
  p->promise = self_->make_response_promise<playback_reply>();
  p->what = std::move(what);
  p->job = std::move(job);
  auto failed = [this, p](caf::error& e) { fail(p, std::move(e)); };
  preparation_job music{p->what.passages, p->what.options.exact, nullptr, p->job.cancelled};
  // What plays is not moved to another device before there is something to play instead.
  auto connects_at_once = !current_;
  self_->request(plans_, caf::infinite, std::move(music))
      .then(
          [this, p, connects_at_once](prepared_passages& made) {
            p->music = std::move(made);
            if (connects_at_once) return ready(p);
            if (auto refusal = refusal_of(p->job)) return fail(p, std::move(*refusal));
            connect(p);
          },
          failed);
  if (connects_at_once) connect(p);
  return p->promise;
}

void player_state::connect(const std::shared_ptr<preparation>& p) {
  self_
      ->request(out(), caf::infinite, atom::connect_v, device_word(p->job.settings),
                synth_settings(p->job.settings))
      .then(
          [this, p](connected_device& d) {
            p->device = std::move(d);
            ready(p);
          },
          [this, p](caf::error& e) { fail(p, std::move(e)); });
}

void player_state::fail(const std::shared_ptr<preparation>& p, caf::error why) {
  if (!std::exchange(p->failed, true)) p->promise.deliver(std::move(why));
}

void player_state::ready(const std::shared_ptr<preparation>& p) {
  if (p->failed || !p->music || !p->device) return;
  if (auto refusal = refusal_of(p->job)) return fail(p, std::move(*refusal));
  begin(p);
}

void player_state::begin(const std::shared_ptr<preparation>& p) {
  end();
  auto& now = current_.emplace();
  now.job = std::move(p->job);
  now.passages = std::move(p->what.passages);
  now.prepared = std::move(p->music->all);
  now.options = p->what.options;
  now.device = std::move(p->device->device);
  now.groups = p->device->groups;
  playback_reply reply;
  for (auto& passage : now.passages)
    reply.text += (reply.text.empty() ? "playing " : "; then ") + passage.name;
  reply.text += " on " + now.device.name;
  // The passages of `:hear` mostly have the same ones.
  std::set<std::string> notes;
  for (auto& passage : now.prepared) {
    notes.insert(passage.plan->left_out.begin(), passage.plan->left_out.end());
    if (auto silenced = silence_beyond(*passage.plan, now.groups, passage.silent);
        !silenced.empty())
      notes.insert(now.device.name + " has only " + std::to_string(now.groups * 16) +
                   " channels; parts not heard: " + silenced);
  }
  for (auto& note : notes)
    reply.text += "\nnote: " + note;
  now.first_id = last_id_ + 1;
  play_passage();
  follow_edits();
  reply.playback = now.first_id;
  p->promise.deliver(std::move(reply));
}

void player_state::play_passage() {
  auto& now = *current_;
  auto& heard = now.heard();
  now.id = ++last_id_;
  midi::playback_options options;
  options.tempo = now.options.tempo;
  options.loop = now.options.loop;
  options.from = heard.range.from;
  options.to = end_of(heard);
  options.silent = heard.silent;
  options.count_in = now.options.count_in ? beats_at(heard) : 0;
  options.metronome = now.options.metronome;
  options.clock = setting("midi-clock", now.job.settings) == "on";
  status_ = {};
  status_.state = options.count_in > 0 ? playback_status::state_t::counting_in
                                       : playback_status::state_t::playing;
  status_.session = now.job.session;
  status_.what = now.passages[now.index].name;
  auto bar = midi::bar_at(*heard.plan, heard.range.from);
  if (bar < heard.plan->bars.size()) status_.measure = heard.plan->bars[bar].number;
  status_.tempo = options.tempo;
  status_.time = in_ms(heard.range.from);
  status_.end = in_ms(std::min(heard.range.to, heard.plan->end));
  status_.device = now.device.name;
  status_.started_by = now.job.who.author;
  now.plans = {heard.plan};
  now.plans_left = 0;
  post(midi::transport_command::play{now.id, heard.plan, std::move(options)});
  tell();
}

/// A plan that was replaced before its turn came leaves two that it can be.
const midi::playback_plan& player_state::current_playback::plan_at(
    const midi::transport_position& where) {
  for (; plans_left < where.exchanges && plans.size() > 1; ++plans_left)
    plans.pop_front();
  auto found = std::find_if(plans.begin(), plans.end(), [&](auto& p) {
    return where.bar < p->bars.size() && midi::bar_at(*p, where.time) == where.bar;
  });
  return found == plans.end() ? *plans.front() : **found;
}

caf::result<playback_reply> player_state::perform(playback_job& job, playback::pause&) {
  if (auto refusal = nothing_plays()) return std::move(*refusal);
  if (auto refusal = refusal_of(job)) return std::move(*refusal);
  post(midi::transport_command::pause{});
  return playback_reply{"paused at " + position_text(), {}};
}

caf::result<playback_reply> player_state::perform(playback_job& job, playback::resume&) {
  if (auto refusal = nothing_plays()) return std::move(*refusal);
  if (auto refusal = refusal_of(job)) return std::move(*refusal);
  post(midi::transport_command::resume{});
  return playback_reply{"playing from " + position_text(), {}};
}

caf::result<playback_reply> player_state::perform(playback_job& job, playback::stop&) {
  if (!current_) return playback_reply{"nothing is playing", {}};
  if (auto refusal = refusal_of(job)) return std::move(*refusal);
  playback_reply reply{"stopped at " + position_text(), {}};
  stop_now();
  return reply;
}

caf::result<playback_reply> player_state::perform(playback_job& job, playback::seek& what) {
  if (auto refusal = nothing_plays()) return std::move(*refusal);
  if (auto refusal = refusal_of(job)) return std::move(*refusal);
  auto& heard = current_->heard();
  auto measure = single_measure(*heard.score, what.measure);
  if (!measure) return to_problem(measure.error());
  auto& bars = current_->plans.front()->bars;
  auto bar = std::find_if(bars.begin(), bars.end(), [&](auto& b) {
    return static_cast<std::int64_t>(b.measure) + 1 == *measure && b.time >= heard.range.from &&
           b.time < heard.range.to;
  });
  if (bar == bars.end())
    return make_problem(problem::out_of_range,
                        "measure " + what.measure + " is outside the passage being played (" +
                            status_.what + ')',
                        "`:play --from " + what.measure + "` plays the score from there.");
  post(midi::transport_command::seek{bar->time});
  return playback_reply{"continuing at measure " + bar->number};
}

caf::result<playback_reply> player_state::perform(playback_job& job, playback::change_tempo& what) {
  if (auto refusal = nothing_plays()) return std::move(*refusal);
  if (!what.factor) return playback_reply{"tempo " + in_percent(current_->options.tempo), {}};
  if (auto refusal = refusal_of(job)) return std::move(*refusal);
  current_->options.tempo = *what.factor;
  status_.tempo = *what.factor;
  post(midi::transport_command::set_tempo{*what.factor});
  tell();
  return playback_reply{"tempo " + in_percent(*what.factor), {}};
}

caf::result<playback_reply> player_state::perform(playback_job& job,
                                                  playback::change_metronome& what) {
  if (auto refusal = nothing_plays()) return std::move(*refusal);
  if (auto refusal = refusal_of(job)) return std::move(*refusal);
  current_->options.metronome = what.on;
  post(midi::transport_command::set_metronome{what.on});
  return playback_reply{std::string{"metronome is "} + (what.on ? "on" : "off"), {}};
}

void player_state::stop_if_active() {
  if (current_) stop_now();
}

void player_state::stop_playback(std::uint64_t id) {
  if (current_ && current_->first_id == id) stop_now();
}

void player_state::toggle_pause() {
  if (!current_) return;
  if (status_.state == playback_status::state_t::paused)
    post(midi::transport_command::resume{});
  else
    post(midi::transport_command::pause{});
}

// --- edits of the score that is played -----------------------------------------------------------

void player_state::follow_edits() {
  auto& now = *current_;
  // What a client may do can change, too.
  if (!now.job.of || (!now.passages.front().follows_edits && is_user(now.job.who))) return;
  followed_ = now.job.of;
  now.newest = now.passages.front().score;
  self_
      ->request(followed_, caf::infinite, atom::observe_v,
                session_observer_actor{player_actor{self_}})
      .then(
          [this, id = now.id](const session_snapshot& s) {
            if (!current_ || current_->id != id) return;
            session_changed(*s);
          },
          // The session has ended; what is playing goes on.
          [](const caf::error&) {});
}

void player_state::edited(const session_event& e) {
  if (current_ && followed_ && e.session == current_->job.session) session_changed(*e.after);
}

void player_state::session_changed(const session_state& s) {
  auto& who = current_->job.who;
  auto policy = policy_for(s, who.author);
  if (!is_user(who) && (policy == remote_policy::deny || policy == remote_policy::preview))
    return stop_now();
  if (!current_->passages.front().follows_edits) return;
  current_->newest = s.score;
  prepare_edit();
}

/// One plan at a time: what is edited meanwhile is prepared afterwards, all of it at once.
void player_state::prepare_edit() {
  auto& now = *current_;
  auto& passage = now.passages.front();
  if (now.preparing_edit || now.newest == passage.score) return;
  now.preparing_edit = true;
  passage.score = now.newest;
  preparation_job job{{passage}, now.options.exact, now.prepared.front().plan, nullptr};
  self_->request(plans_, caf::infinite, std::move(job))
      .then(
          [this, id = now.id](prepared_passages& made) {
            if (!current_ || current_->id != id) return;
            auto& heard = current_->prepared.front() = std::move(made.all.front());
            silence_beyond(*heard.plan, current_->groups, heard.silent);
            current_->passages.front().range = heard.measures;
            status_.end = in_ms(std::min(heard.range.to, heard.plan->end));
            current_->plans.push_back(heard.plan);
            post(
                midi::transport_command::exchange{id, heard.plan, heard.range.from, end_of(heard)});
            post(midi::transport_command::set_silent{heard.silent});
            current_->preparing_edit = false;
            prepare_edit();
          },
          [this, id = now.id](const caf::error& e) {
            if (!current_ || current_->id != id) return;
            // What was deleted is not heard any longer.
            auto why = detail_of(e).message;
            stop_now();
            notice("playback ended after an edit: " + why);
          });
}

// --- what the transport does ---------------------------------------------------------------------

void player_state::happened(midi::transport_event_t& e) {
  if (auto moved = std::get_if<midi::transport_event::moved>(&e)) {
    auto& where = moved->where;
    if (!current_ || where.id != current_->id ||
        where.state == midi::transport_position::state_t::stopped)
      return;
    status_.state = state_of(where.state);
    auto& bars = current_->plan_at(where).bars;
    if (where.bar < bars.size()) {
      status_.measure = bars[where.bar].number;
      tell_beat(where, bars[where.bar].metre);
    }
    status_.beat = where.beat;
    status_.time = in_ms(where.time);
    tell();
  } else if (auto ended = std::get_if<midi::transport_event::ended>(&e)) {
    if (!current_ || ended->id != current_->id) return;
    if (++current_->index < current_->passages.size()) return play_passage();
    end();
    tell();
  } else if (auto dropped = std::get_if<midi::transport_event::messages_dropped>(&e)) {
    notice("the device did not accept " + std::to_string(dropped->count) + " MIDI messages");
  }
}

void player_state::device_changed(const device_change& change) {
  notice(change.is_back ? change.name + " is back"
                        : change.name + " was lost; playback continues without sound until it is "
                                        "back");
}

/// Not the clicks of a count-in: the first beat is that of the music.
void player_state::tell_beat(const midi::transport_position& where, midi::time_change metre) {
  if (!where.beat_due || where.beat_due == last_beat_) return;
  last_beat_ = where.beat_due;
  if (where.state == midi::transport_position::state_t::counting_in) return;
  played_beat beat{current_->first_id, current_->job.session, *where.beat_due, where.beat, metre};
  for (auto& l : beat_listeners_)
    self_->send(l, beat);
}

/// Forgets what was played, without telling observers.
void player_state::end() {
  if (current_)
    for (auto& l : beat_listeners_)
      self_->send(l, playback_end{current_->first_id});
  current_.reset();
  if (followed_)
    self_->send(std::exchange(followed_, nullptr), atom::unobserve_v,
                session_observer_actor{player_actor{self_}});
  auto device = std::move(status_.device);
  status_ = {};
  status_.device = std::move(device);
}

void player_state::stop_now() {
  post(midi::transport_command::stop{});
  end();
  tell();
}

void player_state::observe(const playback_observer_actor& who) {
  self_->monitor(who);
  observers_.push_back(who);
  self_->send(who, status_);
}

void player_state::tell_beats(const beat_listener_actor& who) {
  self_->monitor(who);
  beat_listeners_.push_back(who);
}

/// Something that the user should see once.
void player_state::notice(std::string text) {
  auto status = status_;
  status.notice = std::move(text);
  for (auto& o : observers_)
    self_->send(o, status);
}

void player_state::tell() {
  for (auto& o : observers_)
    self_->send(o, status_);
}

std::string player_state::position_text() const {
  return "measure " + status_.measure + ", beat " + std::to_string(status_.beat);
}

/// An output that crashed is made again when it is next needed.
void player_state::down(const caf::down_msg& msg) {
  std::erase_if(observers_, [&](auto& o) { return o.address() == msg.source; });
  std::erase_if(beat_listeners_, [&](auto& l) { return l.address() == msg.source; });
  if (!out_ || out_.address() != msg.source) return;
  out_ = nullptr;
  if (!current_) return;
  end();
  tell();
  notice("playback ended because of an internal error");
}

player_actor::behavior_type player(player_state::pointer self, player_setup setup) {
  auto& st = self->state;
  set_quiet_handlers(self);
  self->set_down_handler([&st](caf::down_msg& msg) { st.down(msg); });
  st.start(std::move(setup));
  return {
      [&st](midi::transport_event_t& e) { st.happened(e); },
      [&st](const device_change& change) { st.device_changed(change); },
      [&st](playback_job& job) {
        return guarded<playback_reply>([&] { return st.perform(std::move(job)); });
      },
      [&st](atom::stop) { st.stop_if_active(); },
      [&st](atom::stop, std::uint64_t id) { st.stop_playback(id); },
      [&st](atom::pause) { st.toggle_pause(); },
      [&st](atom::send, const playback_job& job, std::vector<std::vector<std::uint8_t>>& messages) {
        return guarded<midi::device>([&] { return st.send(job, std::move(messages)); });
      },
      [&st](atom::thru, std::vector<std::uint8_t>& message) { st.play_thru(message); },
      [&st](atom::thru) { return guarded<midi::device>([&] { return st.open_for_thru(); }); },
      [&st](atom::list) { return guarded<device_list>([&] { return st.devices(); }); },
      [&st](atom::transport) { return st.status(); },
      [&st](atom::prefer, const std::string& device) { st.set_default_device(device); },
      [&st](atom::observe, const playback_observer_actor& who) { st.observe(who); },
      [&st](atom::follow, const beat_listener_actor& who) { st.tell_beats(who); },
      [&st](const session_event& e) { st.edited(e); },
  };
}

}  // namespace fermata::actors
