#include "actors/midi/recorder.hpp"
#include "actors/midi/recorder_answers.hpp"
#include "messages/errors.hpp"
#include "midi/transcription/take.hpp"

#include <caf/all.hpp>

#include <algorithm>
#include <chrono>
#include <set>
#include <utility>

// The last ten minutes, and `:keep`.

namespace fermata::actors {

namespace {

using namespace std::chrono_literals;

/// A phrase begins after a pause this long in which no key is down.
constexpr auto longest_pause = 3s;

}  // namespace

/// Where the last phrase begins: after a pause in which no key was down. Empty: nothing was played.
std::optional<midi::steady_time> recorder_state::start_of_phrase() const {
  std::optional<midi::steady_time> start, last;
  std::set<key_down> down;
  for (auto& m : remembered_) {
    if (m.bytes.empty()) {
      std::erase_if(down, [&](auto& key) { return std::get<0>(key) == m.input; });
    } else if (midi::begins_note(m.bytes)) {
      if (!last || (down.empty() && m.at - *last > longest_pause)) start = m.at;
      down.insert({m.input, m.bytes[0] & 0x0F, m.bytes[1]});
      last = m.at;
    } else if (midi::ends_note(m.bytes)) {
      down.erase({m.input, m.bytes[0] & 0x0F, m.bytes[1]});
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
    if (m.at >= from && !m.bytes.empty())
      music.events.push_back({m.at - from, port_in(ports, music, m.input), m.bytes});
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
  if (setup_.input == "off") return inputs_are_off();
  if (remembered_.empty() && !is_listening()) {
    auto promise = self_->make_response_promise<recording_reply>();
    open_inputs(word_to_open(), [promise, this](const caf::error& failed) mutable {
      if (failed) return refuse(promise, failed);
      refuse(promise, make_problem(problem::invalid_state,
                                   "nothing to keep yet; what you play on " + names_of_inputs() +
                                       " is remembered from now on",
                                   "With `:midi input all`, it is remembered as soon as Fermata "
                                   "starts."));
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
                        "Fermata remembers the last 10 minutes played on " + names_of_inputs() +
                            ".");
  // From the first message to the last.
  auto start = music.events.front().at;
  for (auto& e : music.events)
    e.at -= start;
  music.end -= start;
  auto ago = std::max(now - (*from + start), midi::steady_time::duration{});
  take->what.started = setup_.now() - std::chrono::duration_cast<std::chrono::milliseconds>(ago);
  auto promise = self_->make_response_promise<recording_reply>();
  with_files(
      reading_,
      [take, folder = job.folder]() -> result<void> {
        auto made = io::take_writer::create(folder, take->what.started);
        if (!made) return fail(made.error());
        take->number = made->number();
        if (auto done = made->rewrite(io::take_text(take->what)); !done) return done;
        return made->sync();
      },
      [promise, take](const caf::error& failed) mutable {
        if (failed) return refuse(promise, failed);
        promise.deliver(recording_reply{summary_of(*take), take, {}});
      });
  return promise;
}

}  // namespace fermata::actors
