#include "actors/midi/recorder.hpp"

#include "actors/midi/recorder_answers.hpp"
#include "actors/work/file_worker.hpp"
#include "actors/work/guarded.hpp"
#include "messages/errors.hpp"
#include "midi/transcription/take.hpp"

#include <caf/all.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

namespace fermata::actors {

namespace {

using namespace std::chrono_literals;

/// How long messages wait for others that were played before them on another input.
constexpr auto between_writes = 50ms, settling = 30ms;
constexpr std::size_t most_remembered = 500'000;

}  // namespace

void recorder_state::start(recorder_setup setup) {
  setup_ = std::move(setup);
  files_ = self_->spawn(file_worker, setup_.workers, work_kind::disk);
  reading_ = self_->spawn(file_worker, setup_.workers, work_kind::disk);
  self_->send(setup_.hub, atom::observe_v, device_observer_actor{recorder_actor{self_}});
  if (setup_.player)
    self_->send(setup_.player, atom::follow_v, beat_listener_actor{recorder_actor{self_}});
  set_input(setup_.input);
  if (setup_.thru) set_thru(true);
}

recorder_state::~recorder_state() {
  if (take_) {
    auto lines = lines_until(midi::steady_time::max());
    auto& music = take_->take->what.music;
    music.end = std::max(music.end, std::chrono::steady_clock::now() - take_->began);
    lines += io::take_end_line(music.end);
    caf::anon_send(files_, file_job{[file = take_->file, take = take_->take, lines,
                                     again = take_->has_failed]() -> result<void> {
                     if (!*file) return {};
                     return again ? (*file)->rewrite(io::take_text(take->what))
                                  : (*file)->append(lines);
                   }});
  }
  for (auto& i : inputs_)
    caf::anon_send_exit(i.actor, caf::exit_reason::user_shutdown);
}

// --- what is played ------------------------------------------------------------------------------

void recorder_state::played(played_message& m) {
  constexpr std::uint8_t first_realtime = 0xF8;
  if (take_) follow_clock(m);
  if (m.bytes.empty() || m.bytes[0] >= first_realtime) return;
  auto begins = midi::begins_note(m.bytes), ends = midi::ends_note(m.bytes);
  constexpr std::uint8_t first_of_system = 0xF0;
  if (setup_.thru && m.bytes[0] < first_of_system) {
    self_->send(setup_.player, atom::thru_v, m.bytes);
    thru_channels_.insert({m.input, m.bytes[0] & 0x0F});
  }
  if (begins) struck(m.bytes[1]);
  if (begins) down_.insert({m.input, m.bytes[0] & 0x0F, m.bytes[1]});
  if (ends) down_.erase({m.input, m.bytes[0] & 0x0F, m.bytes[1]});
  if (take_ && !take_->is_complete && m.at >= take_->began && (!ending_ || m.at <= ending_->at)) {
    auto port = port_in(take_->inputs, take_->take->what.music, m.input);
    take_->unwritten.push_back({m.at - take_->began, port, m.bytes});
    status_.notes += begins;
  }
  auto forgotten = m.at - recording::remembered;
  remembered_.push_back({m.at, m.input, std::move(m.bytes)});
  while (remembered_.size() > most_remembered ||
         (!remembered_.empty() && remembered_.front().at < forgotten))
    remembered_.pop_front();
  if ((take_ && (begins || ends)) || (tells_chords_ && begins)) tell();
}

/// For step entry. Precondition: the key is not in `down_` yet.
void recorder_state::struck(std::uint8_t key) {
  if (!tells_chords_) return;
  constexpr std::size_t most_chords = 16;
  auto& chords = status_.chords;
  // A key that is struck again begins another, so that a lost note off joins no more.
  if (down_.empty() || chords.empty() || std::ranges::count(chords.back().keys, key) > 0) {
    chords.push_back({++chords_, {}});
    if (chords.size() > most_chords) chords.erase(chords.begin());
  }
  chords.back().keys.push_back(key);
}

/// The beats of one playback: of what is played to the take, or what the session began to play.
void recorder_state::heard(const played_beat& beat) {
  if (!take_ || take_->take->number == 0 || ending_ || take_->clock_metre() ||
      beat.session != take_->job.session)
    return;
  if (!take_->playback && !take_->job.with) take_->playback = beat.playback;
  if (take_->playback != beat.playback) return;
  auto& beats = take_->take->what.music.beats;
  auto at = beat.due - take_->began;
  if (beats.empty() || beats.back().at < at) beats.push_back({at, beat.number, beat.metre});
}

std::optional<midi::time_change> recorder_state::open_take::clock_metre() const {
  auto& metre = std::get<recording::start>(job.what).clock_metre;
  if (!metre) return std::nullopt;
  return midi::time_change{static_cast<std::uint8_t>(metre->first),
                           static_cast<std::uint8_t>(metre->second)};
}

/// The clock of the input that was started first; it ends the take when it stops.
void recorder_state::follow_clock(const played_message& m) {
  auto& t = *take_;
  auto metre = t.clock_metre();
  if (!metre || ending_ || (t.clock_input && t.clock_input != m.input)) return;
  auto& clock = t.clocks.try_emplace(m.input, *metre).first->second;
  auto was_running = clock.is_running();
  auto beat = clock.receive(m.bytes, m.at);
  if (clock.is_running()) t.clock_input = m.input;
  if (was_running && !clock.is_running() && t.take->number != 0) return end_with_music();
  if (!beat) return;
  auto& all = t.take->what.music.beats;
  auto at = beat->at - t.began;
  if (all.empty() || all.back().at < at) all.push_back({at, beat->number, *metre});
}

/// A take that is played to something ends with it.
void recorder_state::playback_ended(const playback_end& end) {
  if (!take_ || ending_ || !take_->job.with || take_->playback != end.playback) return;
  end_with_music();
}

void recorder_state::end_with_music() {
  ending_ = {std::chrono::steady_clock::now(), std::nullopt};
  self_->delayed_send(self_, settling, atom::when_due_v);
}

/// The number of an input in a take, whose ports these are.
std::size_t recorder_state::port_in(std::vector<std::uint32_t>& ports, midi::take& music,
                                    std::uint32_t number) const {
  auto found = std::find(ports.begin(), ports.end(), number);
  auto index = static_cast<std::size_t>(found - ports.begin());
  if (found != ports.end()) return index;
  ports.push_back(number);
  music.ports.push_back(ids_of_inputs_.at(number));
  return index;
}

/// The lines of what was played before this time and is not written yet, in order of time.
std::string recorder_state::lines_until(midi::steady_time until) {
  auto& t = *take_;
  auto& music = t.take->what.music;
  std::stable_sort(t.unwritten.begin(), t.unwritten.end(),
                   [](auto& a, auto& b) { return a.at < b.at; });
  auto end = until == midi::steady_time::max()
                 ? t.unwritten.end()
                 : std::find_if(t.unwritten.begin(), t.unwritten.end(),
                                [&](auto& e) { return t.began + e.at >= until; });
  std::string lines;
  for (; t.beats_written < music.beats.size(); ++t.beats_written)
    lines += io::take_beat_line(music.beats[t.beats_written]);
  for (auto e = t.unwritten.begin(); e != end; ++e) {
    // A message that arrives after later ones were written gets the time of the last one.
    e->at = std::max(e->at, music.end);
    music.end = e->at;
    for (; t.ports_written < music.ports.size(); ++t.ports_written)
      lines += io::take_port_line(music.ports[t.ports_written]);
    lines += io::take_event_line(*e);
    music.events.push_back(std::move(*e));
  }
  t.unwritten.erase(t.unwritten.begin(), end);
  return lines;
}

/// Also the timer while a take is recorded.
void recorder_state::write_events() {
  if (!take_ || ending_) return;
  self_->delayed_send(self_, between_writes, atom::flush_v);
  if (take_->has_failed) return;  // all of it is written at the end
  auto lines = lines_until(std::chrono::steady_clock::now() - settling);
  if (lines.empty()) return;
  with_files(
      files_, [file = take_->file, lines] { return (*file)->append(lines); },
      [this, file = take_->file](const caf::error& failed) {
        if (!failed || !take_ || take_->file != file) return;
        if (!std::exchange(take_->has_failed, true))
          notice("the take cannot be written for now: " + detail_of(failed).message);
      });
}

void recorder_state::with_files(const file_worker_actor& worker, std::function<result<void>()> work,
                                continuation then) {
  self_->request(worker, caf::infinite, file_job{std::move(work)})
      .then([then] { then({}); }, [then](const caf::error& e) { then(e); });
}

// --- requests ------------------------------------------------------------------------------------

caf::result<recording_reply> recorder_state::perform(const recording_job& job) {
  return std::visit([&](auto& what) { return perform(job, what); }, job.what);
}

caf::error recorder_state::already_recording(const std::string& session) const {
  auto what = take_->take->number == 0 ? std::string{"a take"}
                                       : fmt::format("take {}", take_->take->number);
  if (take_->job.session == session)
    return make_problem(problem::invalid_state, what + " is being recorded", "`:stop` ends it.");
  return make_problem(problem::invalid_state,
                      what + " is being recorded in session " + take_->job.session,
                      "Enter `:stop` there.");
}

caf::result<recording_reply> recorder_state::perform(const recording_job& job,
                                                     const recording::start&) {
  if (take_) return already_recording(job.session);
  if (job.with && !setup_.player)
    return make_problem(problem::unavailable, "playback is not available in this process");
  if (setup_.input == "off") return inputs_are_off();
  auto promise = self_->make_response_promise<recording_reply>();
  open_inputs(word_to_open(), [=, this](const caf::error& failed) mutable {
    if (failed) return refuse(promise, failed);
    if (take_) return refuse(promise, already_recording(job.session));
    begin_take(job, promise);
  });
  return promise;
}

void recorder_state::begin_take(const recording_job& job, reply_promise promise) {
  auto& t = take_.emplace();
  t.job = job;
  t.began = std::chrono::steady_clock::now();
  t.take->what.started = setup_.now();
  auto& start = std::get<recording::start>(job.what);
  t.take->what.place = {start.part, start.replaces};
  status_ = {};
  with_files(
      files_,
      [file = t.file, take = t.take, folder = job.folder]() -> result<void> {
        auto made = io::take_writer::create(folder, take->what.started, take->what.place);
        if (!made) return fail(made.error());
        *file = std::move(*made);
        return {};
      },
      [=, this](const caf::error& failed) { take_created(promise, failed); });
}

void recorder_state::take_created(reply_promise promise, const caf::error& failed) {
  if (failed) {
    take_.reset();
    return refuse(promise, failed);
  }
  take_->take->number = (*take_->file)->number();
  status_.session = take_->job.session;
  status_.take = take_->take->number;
  if (take_->job.of) self_->monitor(take_->job.of);
  self_->delayed_send(self_, between_writes, atom::flush_v);
  tell();
  if (take_->job.with) return play_to_take(std::move(promise));
  promise.deliver(recording_reply{recording_text(), nullptr, {}});
}

std::string recorder_state::recording_text() const {
  auto text =
      fmt::format("recording take {} from {}; `:stop` ends it", status_.take, names_of_inputs());
  if (take_->clock_metre()) text += ", and so does the clock when it stops";
  return text;
}

/// The take has begun before, so that nothing of the first beat is missed.
void recorder_state::play_to_take(reply_promise promise) {
  self_->request(setup_.player, caf::infinite, *take_->job.with)
      .then(
          [=, this, file = take_->file](const playback_reply& reply) mutable {
            // Its session has ended meanwhile.
            if (!take_ || take_->file != file || ending_) {
              self_->send(setup_.player, atom::stop_v, reply.playback);
              return refuse(promise, make_problem(problem::failed, "the take has ended"));
            }
            take_->playback = reply.playback;
            promise.deliver(recording_reply{recording_text() + '\n' + reply.text, nullptr, {}});
          },
          [=, this, file = take_->file](const caf::error& why) mutable {
            if (!take_ || take_->file != file || ending_) return refuse(promise, why);
            discard_take(promise, why);
          });
}

/// Nothing was played to it.
void recorder_state::discard_take(reply_promise promise, const caf::error& why) {
  auto t = std::move(*take_);
  take_.reset();
  status_ = {};
  tell();
  if (t.job.of) self_->demonitor(t.job.of.address());
  with_files(
      files_, [file = t.file] { return (*file)->remove(); },
      [promise, why](const caf::error& failed) mutable {
        if (!failed) return refuse(promise, why);
        auto detail = detail_of(why);
        detail.message += "; the take without notes stays: " + detail_of(failed).message;
        refuse(promise, make_problem(problem_of(why), std::move(detail)));
      });
}

caf::result<recording_reply> recorder_state::stop(const std::string& session) {
  if (!take_ || take_->take->number == 0 || ending_) return recording_reply{};
  if (take_->job.session != session) return already_recording(session);
  auto promise = self_->make_response_promise<recording_reply>();
  ending_ = {std::chrono::steady_clock::now(), promise};
  self_->delayed_send(self_, settling, atom::when_due_v);
  return promise;
}

void recorder_state::end_take() {
  if (!take_ || !ending_) return;
  auto& stored = take_->take->what;
  take_->is_complete = true;
  auto lines = lines_until(midi::steady_time::max());
  stored.music.end = std::max(stored.music.end, ending_->at - take_->began);
  lines += io::take_end_line(stored.music.end);
  with_files(
      files_,
      [file = take_->file, take = take_->take, lines, again = take_->has_failed]() -> result<void> {
        auto done = again ? result<void>{} : (*file)->append(lines);
        // Whatever became of the file while it was written, all of the take is in memory.
        if (again || !done) done = (*file)->rewrite(io::take_text(take->what));
        if (!done) return done;
        return (*file)->sync();
      },
      [this](const caf::error& failed) { take_ended(failed); });
}

void recorder_state::take_ended(const caf::error& failed) {
  auto ending = std::move(*ending_);
  auto t = std::move(*take_);
  ending_.reset();
  take_.reset();
  status_ = {};
  tell();
  if (t.job.of) self_->demonitor(t.job.of.address());
  auto text = summary_of(*t.take);
  if (t.clock_metre() && t.take->what.music.beats.empty())
    text += "\nno MIDI clock was started after the recording began";
  if (failed) text += "\nnot saved: " + detail_of(failed).message;
  if (!ending.promise && t.ended_with_session) return notice(text + "; its session was closed");
  if (!ending.promise) return failed ? notice(text) : transcribe(t);
  // Also what could not be saved can be transcribed.
  ending.promise->deliver(recording_reply{std::move(text), t.take, {}});
}

/// The command appears in the session as one of the user.
void recorder_state::transcribe(const open_take& t) {
  if (!t.job.of) return;
  command_request command{"quantize", {std::to_string(t.take->number)}};
  self_->request(t.job.of, caf::infinite, requested_command{std::move(command), t.job.who})
      .then([](const turn&) {},
            [this, text = summary_of(*t.take)](const caf::error& e) {
              notice(text + "; not transcribed: " + detail_of(e).message);
            });
}

/// The quantizer does this.
caf::result<recording_reply> recorder_state::perform(const recording_job&,
                                                     const recording::quantize&) {
  return make_problem(problem::internal, "unexpected request to the recorder");
}

// --- observers -----------------------------------------------------------------------------------

void recorder_state::observe(const recording_observer_actor& who) {
  self_->monitor(who);
  observers_.push_back(who);
  self_->send(who, status_);
}

/// That it has begun is told once it has a number.
void recorder_state::tell() {
  if (take_ && take_->take->number == 0) return;
  status_.keys.clear();
  for (auto& [input, channel, key] : down_)
    status_.keys.push_back(key);
  std::sort(status_.keys.begin(), status_.keys.end());
  for (auto& o : observers_)
    self_->send(o, status_);
}

/// Something that the user should see once.
void recorder_state::notice(std::string text) {
  auto status = status_;
  status.notice = std::move(text);
  for (auto& o : observers_)
    self_->send(o, status);
}

void recorder_state::down(const caf::down_msg& msg) {
  std::erase_if(observers_, [&](auto& o) { return o.address() == msg.source; });
  // An input that crashed is opened again when it is next wanted.
  std::erase_if(inputs_, [&](auto& i) {
    if (i.actor.address() != msg.source) return false;
    input_closed(i.number);
    return true;
  });
  inputs_settled();
  if (!take_ || ending_ || !take_->job.of || take_->job.of.address() != msg.source) return;
  take_->ended_with_session = true;
  if (take_->job.with && take_->playback)
    self_->send(setup_.player, atom::stop_v, *take_->playback);
  ending_ = {std::chrono::steady_clock::now(), std::nullopt};
  end_take();
}

recorder_actor::behavior_type recorder(recorder_state::pointer self, recorder_setup setup) {
  auto& st = self->state;
  set_quiet_handlers(self);
  self->set_down_handler([&st](caf::down_msg& msg) { st.down(msg); });
  st.start(std::move(setup));
  return {
      [&st](played_message& m) { st.played(m); },
      [&st](const input_change& change) { st.input_changed(change); },
      [&st](const played_beat& beat) { st.heard(beat); },
      [&st](const playback_end& end) { st.playback_ended(end); },
      [&st](const recording_job& job) {
        return guarded<recording_reply>([&] { return st.perform(job); });
      },
      [&st](atom::stop, const std::string& session) {
        return guarded<recording_reply>([&] { return st.stop(session); });
      },
      [&st](atom::list, std::chrono::milliseconds last) { return st.remembered(last); },
      [&st](atom::prefer, const std::string& setting, const std::string& value) {
        st.set(setting, value);
      },
      [&st](atom::observe, const recording_observer_actor& who) { st.observe(who); },
      [&st](atom::flush) { st.write_events(); },
      [&st](atom::when_due) { st.end_take(); },
      [&st](atom::changed) { st.devices_changed(); },
  };
}

}  // namespace fermata::actors
