#include "actors/midi/midi_hub.hpp"
#include "actors/midi/recorder.hpp"
#include "messages/errors.hpp"
#include "midi/sound/device_choice.hpp"

#include <caf/all.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <utility>

// Which inputs of the recorder are open.

namespace fermata::actors {

namespace {

/// While an input is wanted and none is there: not every system reports that it has started.
constexpr std::chrono::milliseconds search_interval{2'000};

/// Without anybody who waits.
void ignore(const caf::error&) {}

/// The inputs that a word denotes. Failure: it denotes none that is there.
midi::sound_result<std::vector<midi::device>> inputs_called(const std::string& word,
                                                            const input_list& all) {
  if (word == "all") return midi::all_inputs(all.inputs);
  auto chosen = midi::chosen_device(all.inputs, word);
  if (chosen) return std::vector{std::move(*chosen)};
  auto f = chosen.error();
  // An id is what the user chose once.
  if (word.find(':') != word.npos) f.message = "the input `" + word + "` is not connected";
  if (f.advice.empty()) f.advice = "`:midi inputs` lists the inputs.";
  return tl::unexpected(std::move(f));
}

std::string reasons_in(const std::vector<midi::sound_failure>& missing) {
  std::string reasons;
  for (auto& m : missing)
    reasons += "; " + m.message;
  return reasons;
}

}  // namespace

std::string recorder_state::word_to_open() const {
  return setup_.input == "auto" ? "all" : setup_.input;
}

/// Opens the inputs that a word denotes, unless they are open; `then` when each has been tried.
void recorder_state::open_inputs(const std::string& word, continuation then) {
  wanted_inputs_ = word;
  self_->request(setup_.hub, caf::infinite, atom::listen_v)
      .then([=, this](const input_list& all) { open_listed(all, word, then); },
            [then](const caf::error& e) { then(e); });
}

void recorder_state::open_listed(const input_list& all, const std::string& word,
                                 const continuation& then) {
  if (word != wanted_inputs_)
    return then(make_problem(problem::invalid_state, "another input was chosen meanwhile"));
  auto wanted = inputs_called(word, all);
  close_unwanted_inputs(all, word);
  for (auto& d : wanted.value_or(std::vector<midi::device>{})) {
    if (std::any_of(inputs_.begin(), inputs_.end(), [&](auto& i) { return i.device.id == d.id; }))
      continue;
    auto number = static_cast<std::uint32_t>(ids_of_inputs_.size());
    ids_of_inputs_.push_back(d.id);
    auto me = caf::actor_cast<caf::weak_actor_ptr>(self_->ctrl());
    auto opened = self_->spawn<caf::monitored>(midi_in, setup_.hub, number, d.id, std::move(me));
    inputs_.push_back({number, d, std::move(opened)});
  }
  if (inputs_.empty()) {
    if (!std::exchange(looks_for_inputs_, true))
      self_->delayed_send(self_, search_interval, atom::changed_v);
    if (!wanted) return then(to_problem(wanted.error()));
    return then(make_problem(problem::unavailable,
                             "there is no MIDI input" + reasons_in(all.missing),
                             "Connect a keyboard; `:midi inputs` lists the inputs."));
  }
  waiting_for_inputs_.push_back(then);
  inputs_settled();
}

/// Those that are gone for the moment are still wanted.
void recorder_state::close_unwanted_inputs(const input_list& all, const std::string& word) {
  auto wanted = inputs_called(word, all).value_or(std::vector<midi::device>{});
  std::erase_if(inputs_, [&](auto& i) {
    auto is_this = [&](auto& d) { return d.id == i.device.id; };
    if (std::any_of(wanted.begin(), wanted.end(), is_this)) return false;
    auto is_gone = std::none_of(all.inputs.begin(), all.inputs.end(), is_this);
    if (is_gone && inputs_called(word, {{i.device}, {}})) return false;
    input_closed(i.number);
    self_->send_exit(i.actor, caf::exit_reason::user_shutdown);
    return true;
  });
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
      reasons += (reasons.empty() ? ": " : "; ") +
                 (i.reason.empty() ? i.device.name + " is not connected" : i.reason);
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
  auto& input = *found;
  auto was = input.state;
  using enum open_input::state_t;
  switch (change.what) {
    case input_change::what_t::opened:
      input.state = open;
      input.reason.clear();
      if (was == lost) notice(input.device.name + " is back");
      break;
    case input_change::what_t::failed:
      if (was == opening) input.state = failed;
      input.reason = change.reason;
      // Whoever waits is told.
      if (waiting_for_inputs_.empty())
        notice(input.device.name + " could not be opened: " + change.reason);
      break;
    case input_change::what_t::lost:
      input.state = lost;
      input_closed(change.input);
      notice(input.device.name + " was lost" + (take_ ? "; what was recorded so far is kept" : ""));
      break;
    case input_change::what_t::messages_lost:
      notice(fmt::format("{} messages of {} were lost", change.count, input.device.name));
      break;
  }
  inputs_settled();
}

/// Nobody lets go of its keys any more.
void recorder_state::input_closed(std::uint32_t number) {
  end_thru(number);
  std::erase_if(down_, [&](auto& key) { return std::get<0>(key) == number; });
  remembered_.push_back({std::chrono::steady_clock::now(), number, {}});
  if (take_) tell();
}

/// Opens wanted inputs that have appeared. Also the timer while none is there.
void recorder_state::devices_changed() {
  looks_for_inputs_ = false;
  if (!wanted_inputs_.empty()) open_inputs(wanted_inputs_, ignore);
}

void recorder_state::set(const std::string& setting, const std::string& value) {
  if (setting == "midi-thru")
    set_thru(value == "on");
  else
    set_input(value);
}

void recorder_state::set_thru(bool on) {
  if (!on) end_thru(std::nullopt);
  setup_.thru = on && setup_.player;
  if (setup_.thru)
    self_->request(setup_.player, caf::infinite, atom::thru_v)
        .then([](const midi::device&) {},
              [this](const caf::error& e) {
                notice("MIDI thru is silent: " + detail_of(e).message);
              });
}

/// Ends the notes of an input, or of all, and lifts their pedals, with which notes may go on that
/// have no key down.
void recorder_state::end_thru(std::optional<std::uint32_t> input) {
  if (!setup_.thru) return;
  auto play = [this](int status, std::uint8_t first, std::uint8_t second) {
    self_->send(setup_.player, atom::thru_v,
                std::vector<std::uint8_t>{static_cast<std::uint8_t>(status), first, second});
  };
  for (auto& [number, channel, key] : down_)
    if (!input || number == *input) play(0x80 | channel, key, 64);
  constexpr std::uint8_t damper_pedal = 64, sostenuto_pedal = 66;
  std::erase_if(thru_channels_, [&](auto& c) {
    if (input && c.first != *input) return false;
    play(0xB0 | c.second, damper_pedal, 0);
    play(0xB0 | c.second, sostenuto_pedal, 0);
    return true;
  });
}

void recorder_state::set_input(const std::string& word) {
  setup_.input = word;
  if (word == "auto") return;
  if (word != "off") return open_inputs(word, ignore);
  wanted_inputs_.clear();
  for (auto& i : inputs_)
    self_->send_exit(i.actor, caf::exit_reason::user_shutdown);
  end_thru(std::nullopt);
  inputs_.clear();
  remembered_.clear();
  down_.clear();
}

bool recorder_state::is_listening() const {
  return std::any_of(inputs_.begin(), inputs_.end(),
                     [](auto& i) { return i.state == open_input::state_t::open; });
}

std::string recorder_state::names_of_inputs() const {
  std::string names;
  for (auto& i : inputs_)
    if (i.state == open_input::state_t::open) names += (names.empty() ? "" : ", ") + i.device.name;
  return names.empty() ? "no input" : names;
}

// --- requests ------------------------------------------------------------------------------------

std::string recorder_state::text_of(const input_list& all) const {
  using enum open_input::state_t;
  std::string text;
  std::size_t width = 0;
  for (auto& d : all.inputs)
    width = std::max(width, d.id.size());
  for (auto& d : all.inputs) {
    auto open_one =
        std::find_if(inputs_.begin(), inputs_.end(), [&](auto& i) { return i.device.id == d.id; });
    std::string state;
    if (open_one != inputs_.end())
      state = open_one->state == open     ? ", open"
              : open_one->state == failed ? ", could not be opened: " + open_one->reason
                                          : ", being opened";
    text += fmt::format("{}{:<{}}  {} ({}){}", text.empty() ? "" : "\n", d.id, width, d.name,
                        d.system, state);
  }
  for (auto& i : inputs_)
    if (i.state == lost)
      text += fmt::format("{}{}  not connected", text.empty() ? "" : "\n", i.device.id);
  if (text.empty()) text = "no MIDI input";
  for (auto& m : all.missing)
    text += '\n' + m.message + (m.advice.empty() ? "" : "\n  " + m.advice);
  return text;
}

caf::result<recording_reply> recorder_state::perform(const recording_job&,
                                                     const recording::list_inputs&) {
  auto promise = self_->make_response_promise<recording_reply>();
  self_->request(setup_.hub, caf::infinite, atom::listen_v)
      .then(
          [this, promise](const input_list& all) mutable {
            promise.deliver(recording_reply{text_of(all), nullptr, {}});
          },
          [promise](caf::error& e) mutable { promise.deliver(std::move(e)); });
  return promise;
}

caf::result<recording_reply> recorder_state::perform(const recording_job& job,
                                                     const recording::choose_input& what) {
  auto said = [](const std::string& word, const std::string& inputs) {
    return recording_reply{"midi-input = " + word + inputs, nullptr, {}};
  };
  if (what.device.empty()) return said(setup_.input, "; listening to " + names_of_inputs());
  if (take_) return already_recording(job.session);
  auto chosen = said(what.device, {});
  chosen.setting = {"midi-input", what.device};
  if (what.device == "off" || what.device == "auto") return chosen;
  auto promise = self_->make_response_promise<recording_reply>();
  self_->request(setup_.hub, caf::infinite, atom::listen_v)
      .then(
          [promise, chosen](const input_list& all) mutable {
            auto& input = chosen.setting.second;
            auto wanted = inputs_called(input, all);
            if (!wanted) {
              promise.deliver(to_problem(wanted.error()));
              return;
            }
            if (input != "all") input = wanted->front().id;
            std::string names;
            for (auto& d : *wanted)
              names += (names.empty() ? "" : ", ") + d.name;
            chosen.text = "midi-input = " + input +
                          (names.empty() ? "; no input is connected" : "; listening to " + names);
            promise.deliver(std::move(chosen));
          },
          [promise](caf::error& e) mutable { promise.deliver(std::move(e)); });
  return promise;
}

caf::result<recording_reply> recorder_state::perform(const recording_job&,
                                                     const recording::enter_steps&) {
  if (setup_.input == "off")
    return make_problem(problem::invalid_state, "MIDI inputs are off",
                        "`:midi input all` turns them on.");
  auto promise = self_->make_response_promise<recording_reply>();
  open_inputs(word_to_open(), [=, this](const caf::error& failed) mutable {
    if (failed) {
      promise.deliver(failed);
      return;
    }
    tells_chords_ = true;
    down_.clear();  // a lost note off would join all chords
    promise.deliver(
        recording_reply{"step entry from " + names_of_inputs() +
                            ": 1 to 8 choose the value, . dots it, 0 is a rest, t ties; "
                            "Enter submits the line, Ctrl-C leaves",
                        nullptr,
                        {}});
  });
  return promise;
}

caf::result<recording_reply> recorder_state::perform(const recording_job&,
                                                     const recording::change_thru& what) {
  auto state = [](bool on) { return std::string{"midi-thru = "} + (on ? "on" : "off"); };
  if (!what.on) return recording_reply{state(setup_.thru), nullptr, {}};
  if (!*what.on) return recording_reply{state(false), nullptr, {"midi-thru", "off"}};
  if (setup_.input == "off")
    return make_problem(problem::invalid_state, "MIDI inputs are off",
                        "`:midi input all` turns them on.");
  auto promise = self_->make_response_promise<recording_reply>();
  // What is to be heard is opened first, then what is played.
  self_->request(setup_.player, caf::infinite, atom::thru_v)
      .then(
          [=, this](const midi::device& d) {
            open_inputs(word_to_open(), [=, this](const caf::error& failed) mutable {
              if (failed) {
                promise.deliver(failed);
                return;
              }
              promise.deliver(
                  recording_reply{state(true) + "; " + names_of_inputs() + " is heard on " + d.name,
                                  nullptr,
                                  {"midi-thru", "on"}});
            });
          },
          [promise](caf::error& e) mutable { promise.deliver(std::move(e)); });
  return promise;
}

}  // namespace fermata::actors
