#include "actors/midi/recorder.hpp"

#include "actors/midi/midi_hub.hpp"
#include "actors/work/file_worker.hpp"
#include "actors/work/guarded.hpp"
#include "messages/errors.hpp"
#include "midi/sound/device_choice.hpp"
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
/// A phrase begins after a pause this long in which no key is down.
constexpr auto longest_pause = 3s;
constexpr std::size_t most_remembered = 500'000;

std::chrono::nanoseconds since(midi::steady_time from, midi::steady_time t) { return t - from; }

std::string length_text(std::chrono::nanoseconds t) {
  auto seconds = std::chrono::duration<double>{t}.count();
  if (seconds < 60) return fmt::format("{:.1f} s", seconds);
  return fmt::format("{}:{:02} min", static_cast<int>(seconds) / 60,
                     static_cast<int>(seconds) % 60);
}

std::string counted_notes(std::size_t n) { return fmt::format("{} note{}", n, n == 1 ? "" : "s"); }

std::string summary_of(const recorded_take& t) {
  auto& music = t.what.music;
  return fmt::format("take {}: {} in {}", t.number, counted_notes(midi::count_notes(music)),
                     length_text(music.end));
}

bool is_on(const std::vector<std::uint8_t>& m) {
  return m.size() == 3 && (m[0] & 0xF0) == 0x90 && m[2] > 0;
}
bool is_off(const std::vector<std::uint8_t>& m) {
  return m.size() == 3 && ((m[0] & 0xF0) == 0x80 || ((m[0] & 0xF0) == 0x90 && m[2] == 0));
}

void refuse(caf::typed_response_promise<recording_reply>& promise, caf::error why) {
  promise.deliver(std::move(why));
}

/// With advice for inputs.
midi::sound_failure with_list(midi::sound_failure f) {
  if (f.advice.empty()) f.advice = "`:midi inputs` lists the inputs.";
  return f;
}

}  // namespace

void recorder_state::start(recorder_setup setup) {
  setup_ = std::move(setup);
  files_ = self_->spawn(file_worker, setup_.workers, work_kind::disk);
  self_->send(setup_.hub, atom::observe_v, device_observer_actor{recorder_actor{self_}});
  if (setup_.input != "auto" && setup_.input != "off")
    open_inputs(setup_.input, [](const caf::error&) {});
}

recorder_state::~recorder_state() {
  // What came last is written; the take has no end then, and says that it was interrupted.
  if (take_)
    if (auto lines = lines_until(midi::steady_time::max()); !lines.empty())
      caf::anon_send(files_, file_job{[file = take_->file, lines]() -> result<void> {
                       return *file ? (*file)->append(lines) : result<void>{};
                     }});
  for (auto& i : inputs_)
    caf::anon_send_exit(i.actor, caf::exit_reason::user_shutdown);
}

// --- inputs --------------------------------------------------------------------------------------

/// Opens the inputs that a word denotes, unless they are open; `then` when each has been tried.
void recorder_state::open_inputs(const std::string& word, continuation then) {
  self_->request(setup_.hub, caf::infinite, atom::list_v)
      .then([=, this](const device_list& all) { open_wanted(all, word, then); },
            [then](const caf::error& e) { then(e); });
}

void recorder_state::open_wanted(const device_list& all, const std::string& word,
                                 const continuation& then) {
  auto before = std::exchange(listens_to_, word);
  std::vector<midi::device> wanted;
  if (word == "all") {
    // The virtual input has something to say only when the user connects it.
    std::copy_if(all.inputs.begin(), all.inputs.end(), std::back_inserter(wanted),
                 [](auto& d) { return d.id != midi::virtual_id; });
  } else {
    auto chosen = midi::chosen_device(all.inputs, word);
    if (!chosen) return then(to_problem(with_list(chosen.error())));
    wanted.push_back(std::move(*chosen));
  }
  if (wanted.empty() && inputs_.empty()) {
    std::string reasons;
    for (auto& m : all.missing)
      if (m.kind == midi::sound_failure::kind_t::no_server) reasons += "; " + m.message;
    return then(make_problem(problem::unavailable, "there is no MIDI input" + reasons,
                             "Connect a keyboard; `:midi inputs` lists the inputs."));
  }
  // Those of another choice are closed.
  if (before != word)
    std::erase_if(inputs_, [&](auto& i) {
      auto is_wanted =
          std::any_of(wanted.begin(), wanted.end(), [&](auto& d) { return d.id == i.device.id; });
      if (!is_wanted) self_->send_exit(i.actor, caf::exit_reason::user_shutdown);
      return !is_wanted;
    });
  for (auto& d : wanted) {
    if (std::any_of(inputs_.begin(), inputs_.end(), [&](auto& i) { return i.device.id == d.id; }))
      continue;
    auto number = static_cast<std::uint32_t>(ids_of_inputs_.size());
    ids_of_inputs_.push_back(d.id);
    auto me = caf::actor_cast<caf::weak_actor_ptr>(self_->ctrl());
    auto opened = self_->spawn<caf::monitored>(midi_in, setup_.hub, number, d.id, std::move(me));
    inputs_.push_back({number, d, std::move(opened)});
  }
  waiting_for_inputs_.push_back(then);
  inputs_settled();
}

/// Continues what waits for inputs once each of them is open or has failed.
void recorder_state::inputs_settled() {
  using enum open_input::state_t;
  if (std::any_of(inputs_.begin(), inputs_.end(), [](auto& i) { return i.state == opening; }))
    return;
  caf::error none;
  if (!is_listening()) {
    std::string reasons;
    for (auto& i : inputs_)
      reasons += (reasons.empty() ? ": " : "; ") + i.reason;
    none = make_problem(problem::unavailable, "no MIDI input could be opened" + reasons,
                        "`:midi inputs` lists the inputs.");
  }
  for (auto& then : std::exchange(waiting_for_inputs_, {}))
    then(none);
}

void recorder_state::input_changed(const input_change& change) {
  auto found = std::find_if(inputs_.begin(), inputs_.end(),
                            [&](auto& i) { return i.number == change.input; });
  if (found == inputs_.end()) return;
  auto was = found->state;
  using enum open_input::state_t;
  switch (change.what) {
    case input_change::what_t::opened:
      found->state = open;
      if (was == lost) notice(found->device.name + " is back");
      break;
    case input_change::what_t::failed:
      found->state = was == opening ? failed : was;
      found->reason = change.reason;
      break;
    case input_change::what_t::lost:
      found->state = lost;
      // Nobody lets go of the keys any more.
      std::erase_if(down_, [&](auto& key) { return std::get<0>(key) == change.input; });
      notice(found->device.name + " was lost" +
             (take_ ? "; what was recorded so far is kept" : ""));
      break;
  }
  inputs_settled();
}

/// Inputs that were missing join.
void recorder_state::devices_changed() {
  if (!listens_to_.empty()) open_inputs(listens_to_, [](const caf::error&) {});
}

void recorder_state::set_input(const std::string& word) {
  setup_.input = word;
  if (word != "off" && word != "auto") return open_inputs(word, [](const caf::error&) {});
  if (word == "auto") return;
  for (auto& i : inputs_)
    self_->send_exit(i.actor, caf::exit_reason::user_shutdown);
  inputs_.clear();
  listens_to_.clear();
}

bool recorder_state::is_listening() const {
  return std::any_of(inputs_.begin(), inputs_.end(),
                     [](auto& i) { return i.state == open_input::state_t::open; });
}

std::string recorder_state::names_of_inputs() const {
  std::string names;
  for (auto& i : inputs_)
    if (i.state == open_input::state_t::open) names += (names.empty() ? "" : ", ") + i.device.name;
  return names;
}

// --- what is played ------------------------------------------------------------------------------

void recorder_state::played(played_message& m) {
  constexpr std::uint8_t first_realtime = 0xF8;
  if (m.bytes.empty() || m.bytes[0] >= first_realtime) return;
  auto key = [&] {
    return std::tuple{m.input, static_cast<std::uint8_t>(m.bytes[0] & 0x0F), m.bytes[1]};
  };
  if (is_on(m.bytes)) down_.insert(key());
  if (is_off(m.bytes)) down_.erase(key());
  if (take_ && m.at >= take_->began && (!ending_ || m.at <= ending_->at)) {
    auto port = port_in(take_->inputs, take_->take->what.music, m.input);
    take_->unwritten.push_back({since(take_->began, m.at), port, m.bytes});
    status_.notes += is_on(m.bytes);
  }
  auto forgotten = m.at - recording::remembered;
  remembered_.push_back({m.at, m.input, std::move(m.bytes)});
  while (remembered_.size() > most_remembered ||
         (!remembered_.empty() && remembered_.front().at < forgotten))
    remembered_.pop_front();
  if (take_) tell();
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
  for (auto e = t.unwritten.begin(); e != end; ++e) {
    // One that came too late for its place is where the file has come to.
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
  auto lines = lines_until(std::chrono::steady_clock::now() - settling);
  if (lines.empty() || take_->failed) return;
  with_files([file = take_->file, lines] { return (*file)->append(lines); },
             [this, file = take_->file](const caf::error& failed) {
               if (!failed || !take_ || take_->file != file || take_->failed) return;
               take_->failed = failed;
               notice("the take cannot be written: " + detail_of(failed).message);
             });
}

void recorder_state::with_files(std::function<result<void>()> work, continuation then) {
  self_->request(files_, caf::infinite, file_job{std::move(work)})
      .then([then] { then({}); }, [then](const caf::error& e) { then(e); });
}

// --- requests ------------------------------------------------------------------------------------

caf::result<recording_reply> recorder_state::perform(const recording_job& job) {
  return std::visit([&](auto& what) { return perform(job, what); }, job.what);
}

caf::result<recording_reply> recorder_state::perform(const recording_job& job,
                                                     const recording::start&) {
  if (take_) return already_recording(job.session);
  if (setup_.input == "off")
    return make_problem(problem::invalid_state, "recording is off",
                        "`:midi input all` records all inputs.");
  auto promise = self_->make_response_promise<recording_reply>();
  open_inputs(setup_.input == "auto" ? "all" : setup_.input,
              [=, this](const caf::error& failed) mutable {
                if (failed) return refuse(promise, failed);
                if (take_) return refuse(promise, already_recording(job.session));
                begin_take(job, promise);
              });
  return promise;
}

void recorder_state::begin_take(const recording_job& job, reply_promise promise) {
  auto& t = take_.emplace();
  t.session = job.session;
  t.began = std::chrono::steady_clock::now();
  t.take->what.started = setup_.now();
  t.file = std::make_shared<std::optional<io::take_writer>>();
  auto make = [file = t.file, take = t.take, folder = job.folder]() -> result<void> {
    auto made = io::take_writer::create(folder, take->what.started);
    if (!made) return fail(made.error());
    *file = std::move(*made);
    return {};
  };
  with_files(make, [=, this, file = t.file](const caf::error& failed) mutable {
    if (!take_ || take_->file != file)
      return refuse(promise, make_problem(problem::internal, "the take was lost"));
    if (failed) {
      take_.reset();
      return refuse(promise, failed);
    }
    take_->take->number = (*file)->number();
    status_ = {};
    status_.session = take_->session;
    status_.take = take_->take->number;
    self_->delayed_send(self_, between_writes, atom::flush_v);
    tell();
    promise.deliver(recording_reply{fmt::format("recording take {} from {}; `:stop` ends it",
                                                take_->take->number, names_of_inputs()),
                                    nullptr,
                                    {}});
  });
}

caf::result<recording_reply> recorder_state::stop(const std::string& session) {
  if (!take_ || take_->take->number == 0 || ending_) return recording_reply{};
  if (take_->session != session) return already_recording(session);
  ending_ = {std::chrono::steady_clock::now(), self_->make_response_promise<recording_reply>()};
  self_->delayed_send(self_, settling, atom::when_due_v);
  return ending_->promise;
}

void recorder_state::end_take() {
  if (!take_ || !ending_) return;
  auto& music = take_->take->what.music;
  auto lines = lines_until(midi::steady_time::max());
  music.end = std::max(music.end, since(take_->began, ending_->at));
  lines += io::take_end_line(music.end);
  with_files(
      [file = take_->file, lines]() -> result<void> {
        if (auto done = (*file)->append(lines); !done) return done;
        return (*file)->sync();
      },
      [this](const caf::error& failed) {
        auto promise = std::move(ending_->promise);
        auto t = std::move(*take_);
        ending_.reset();
        take_.reset();
        status_ = {};
        tell();
        if (failed || t.failed) return refuse(promise, failed ? failed : *t.failed);
        promise.deliver(recording_reply{summary_of(*t.take), t.take, {}});
      });
}

caf::error recorder_state::already_recording(const std::string& session) const {
  return make_problem(
      problem::invalid_state,
      fmt::format("take {} is being recorded{}", take_->take->number,
                  take_->session == session ? std::string{} : " in session " + take_->session),
      "`:stop` there ends it.");
}

/// Where the last phrase begins: after a pause in which no key was down. Empty: nothing was played.
std::optional<midi::steady_time> recorder_state::start_of_phrase() const {
  std::optional<midi::steady_time> start, last;
  std::set<std::tuple<std::uint32_t, std::uint8_t, std::uint8_t>> down;
  for (auto& m : remembered_) {
    auto key = [&] {
      return std::tuple{m.input, static_cast<std::uint8_t>(m.bytes[0] & 0x0F), m.bytes[1]};
    };
    if (is_on(m.bytes)) {
      if (!last || (down.empty() && m.at - *last > longest_pause)) start = m.at;
      down.insert(key());
      last = m.at;
    } else if (is_off(m.bytes)) {
      down.erase(key());
      last = m.at;
    }
  }
  return start;
}

/// It ends with its last message.
midi::take recorder_state::played_since(midi::steady_time from) const {
  midi::take music;
  std::vector<std::uint32_t> ports;
  for (auto& m : remembered_)
    if (m.at >= from)
      music.events.push_back({since(from, m.at), port_in(ports, music, m.input), m.bytes});
  std::stable_sort(music.events.begin(), music.events.end(),
                   [](auto& a, auto& b) { return a.at < b.at; });
  if (!music.events.empty()) music.end = music.events.back().at;
  return music;
}

remembered_music recorder_state::remembered(std::chrono::milliseconds last) const {
  remembered_music all;
  auto now = std::chrono::steady_clock::now();
  all.music = played_since(now - last);
  all.music.end = std::max<std::chrono::nanoseconds>(all.music.end, last);
  for (auto& i : inputs_)
    if (i.state == open_input::state_t::open) all.inputs.push_back(i.device.name);
  return all;
}

caf::result<recording_reply> recorder_state::perform(const recording_job& job,
                                                     const recording::keep& what) {
  if (remembered_.empty() && !is_listening()) {
    if (setup_.input == "off")
      return make_problem(problem::invalid_state, "recording is off",
                          "`:midi input all` records all inputs.");
    auto promise = self_->make_response_promise<recording_reply>();
    open_inputs(setup_.input == "auto" ? "all" : setup_.input,
                [promise, this](const caf::error& failed) mutable {
                  if (failed) return refuse(promise, failed);
                  promise.deliver(make_problem(
                      problem::invalid_state,
                      "nothing was remembered until now; what is played from now on is, on " +
                          names_of_inputs(),
                      "`:midi input all` does so from the start of the prompt."));
                });
    return promise;
  }
  auto now = std::chrono::steady_clock::now();
  auto from = what.length ? std::optional{now - *what.length} : start_of_phrase();
  auto take = std::make_shared<recorded_take>();
  auto& music = take->what.music;
  if (from) music = played_since(*from);
  if (midi::count_notes(music) == 0)
    return make_problem(problem::invalid_state,
                        what.length ? "nothing was played in the last " + length_text(*what.length)
                                    : "nothing was played",
                        "What is played on " + names_of_inputs() +
                            " is remembered for 10 minutes.");
  if (what.length) music.end = std::max(music.end, since(*from, now));
  take->what.started =
      setup_.now() - std::chrono::duration_cast<std::chrono::milliseconds>(now - *from);
  auto promise = self_->make_response_promise<recording_reply>();
  with_files(
      [take, folder = job.folder]() -> result<void> {
        auto& stored = take->what;
        auto made = io::take_writer::create(folder, stored.started);
        if (!made) return fail(made.error());
        take->number = made->number();
        auto whole = io::take_text(stored.music, stored.started);
        // It begins with what the writer has written.
        whole.erase(0, io::take_beginning(stored.started).size());
        if (auto done = made->append(whole); !done) return done;
        return made->sync();
      },
      [promise, take](const caf::error& failed) mutable {
        if (failed) return refuse(promise, failed);
        promise.deliver(recording_reply{summary_of(*take), take, {}});
      });
  return promise;
}

caf::result<recording_reply> recorder_state::perform(const recording_job& job,
                                                     const recording::list_takes&) {
  auto text = std::make_shared<std::string>();
  auto promise = self_->make_response_promise<recording_reply>();
  auto open = take_ && take_->session == job.session ? take_->take->number : 0;
  with_files(
      [text, open, folder = job.folder]() -> result<void> {
        for (auto number : io::take_numbers(folder)) {
          if (!text->empty()) *text += '\n';
          auto read = io::load_take(folder, number);
          if (!read) {
            *text +=
                fmt::format("take {}: cannot be read: {}", number, read.error().first().message);
            continue;
          }
          *text += summary_of({number, *read});
          if (number == open)
            *text += ", being recorded";
          else if (!read->is_complete)
            *text += ", interrupted";
        }
        if (text->empty()) *text = "no takes; `:record` records one";
        return {};
      },
      [promise, text](const caf::error& failed) mutable {
        if (failed) return refuse(promise, failed);
        promise.deliver(recording_reply{*text, nullptr, {}});
      });
  return promise;
}

/// The quantizer does this.
caf::result<recording_reply> recorder_state::perform(const recording_job&,
                                                     const recording::quantize&) {
  return make_problem(problem::internal, "unexpected request to the recorder");
}

caf::result<recording_reply> recorder_state::perform(const recording_job&,
                                                     const recording::list_inputs&) {
  auto promise = self_->make_response_promise<recording_reply>();
  self_->request(setup_.hub, caf::infinite, atom::list_v)
      .then(
          [this, promise](const device_list& all) mutable {
            std::string text;
            std::size_t width = 0;
            for (auto& d : all.inputs)
              width = std::max(width, d.id.size());
            for (auto& d : all.inputs) {
              auto is_open = std::any_of(inputs_.begin(), inputs_.end(), [&](auto& i) {
                return i.device.id == d.id && i.state == open_input::state_t::open;
              });
              text += fmt::format("{}{:<{}}  {} ({}){}", text.empty() ? "" : "\n", d.id, width,
                                  d.name, d.system, is_open ? ", open" : "");
            }
            if (all.inputs.empty()) text = "no MIDI input";
            for (auto& m : all.missing)
              if (m.kind == midi::sound_failure::kind_t::no_server)
                text += '\n' + m.message + (m.advice.empty() ? "" : "\n  " + m.advice);
            promise.deliver(recording_reply{std::move(text), nullptr, {}});
          },
          [promise](caf::error& e) mutable { promise.deliver(std::move(e)); });
  return promise;
}

caf::result<recording_reply> recorder_state::perform(const recording_job&,
                                                     const recording::choose_input& what) {
  if (what.device.empty()) {
    auto open = names_of_inputs();
    return recording_reply{"midi-input is " + setup_.input +
                               (open.empty() ? "; no input is open" : "; open: " + open),
                           nullptr,
                           {}};
  }
  if (take_) return already_recording(take_->session);
  if (what.device == "off" || what.device == "auto" || what.device == "all")
    return recording_reply{"midi-input is " + what.device, nullptr, what.device};
  auto promise = self_->make_response_promise<recording_reply>();
  self_->request(setup_.hub, caf::infinite, atom::list_v)
      .then(
          [promise, word = what.device](const device_list& all) mutable {
            if (auto chosen = midi::chosen_device(all.inputs, word))
              promise.deliver(recording_reply{"midi-input is " + chosen->id, nullptr, chosen->id});
            else
              promise.deliver(to_problem(with_list(chosen.error())));
          },
          [promise](caf::error& e) mutable { promise.deliver(std::move(e)); });
  return promise;
}

// --- observers -----------------------------------------------------------------------------------

void recorder_state::observe(const recording_observer_actor& who) {
  self_->monitor(who);
  observers_.push_back(who);
  self_->send(who, status_);
}

void recorder_state::tell() {
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
  std::erase_if(inputs_, [&](auto& i) { return i.actor.address() == msg.source; });
  inputs_settled();
}

recorder_actor::behavior_type recorder(recorder_state::pointer self, recorder_setup setup) {
  auto& st = self->state;
  set_quiet_handlers(self);
  self->set_down_handler([&st](caf::down_msg& msg) { st.down(msg); });
  st.start(std::move(setup));
  return {
      [&st](played_message& m) { st.played(m); },
      [&st](const input_change& change) { st.input_changed(change); },
      [&st](const recording_job& job) {
        return guarded<recording_reply>([&] { return st.perform(job); });
      },
      [&st](atom::stop, const std::string& session) {
        return guarded<recording_reply>([&] { return st.stop(session); });
      },
      [&st](atom::list, std::chrono::milliseconds last) { return st.remembered(last); },
      [&st](atom::prefer, const std::string& word) { st.set_input(word); },
      [&st](atom::observe, const recording_observer_actor& who) { st.observe(who); },
      [&st](atom::flush) { st.write_events(); },
      [&st](atom::when_due) { st.end_take(); },
      [&st](atom::changed) { st.devices_changed(); },
  };
}

}  // namespace fermata::actors
