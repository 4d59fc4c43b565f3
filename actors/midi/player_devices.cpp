#include "actors/midi/midi_out.hpp"
#include "actors/midi/player.hpp"
#include "core/session/timeline/author.hpp"
#include "core/session/timeline/state.hpp"
#include "messages/errors.hpp"
#include "midi/sound/device_choice.hpp"

#include <caf/all.hpp>

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <utility>

namespace fermata::actors {

namespace {

/// A device drops a message that is too long for it, and the sender would not notice.
std::optional<caf::error> refusal_of_length(const std::vector<std::vector<std::uint8_t>>& messages,
                                            const connected_device& to) {
  for (std::size_t i = 0; i < messages.size(); ++i)
    if (messages[i].size() > to.longest_message)
      return make_problem(
          problem::out_of_range,
          fmt::format("messages[{}] has {} bytes, but {} accepts at most {}; nothing was sent", i,
                      messages[i].size(), to.device.name, to.longest_message),
          "Split it into shorter messages if the device supports that.");
  return std::nullopt;
}

}  // namespace

// What a player does with devices: settings, connecting, and messages of clients.

caf::error player_state::no_sound() {
  return make_problem(problem::unavailable, "playback is not available in this process");
}

std::string player_state::setting(std::string_view name, const setting_values& of_session) const {
  auto value = effective_setting(name, of_session, setup_.configured);
  return value == "auto" ? std::string{} : value;
}

std::string player_state::device_word(const setting_values& of_session) const {
  return setting("midi-device", of_session);
}

midi::synth_settings player_state::synth_settings(const setting_values& of_session) const {
  midi::synth_settings synth;
  synth.soundfont = setting("soundfont", of_session);
  synth.audio_output = setting("audio-output", of_session);
  synth.gain = std::atoi(setting("playback-gain", of_session).c_str()) / 100.0;
  return synth;
}

midi_out_actor& player_state::out() {
  if (!out_) {
    out_ = self_->spawn(midi_out, hub_, caf::actor_cast<caf::weak_actor_ptr>(self_->ctrl()));
    self_->monitor(out_);
  }
  return out_;
}

void player_state::post(midi::transport_command_t command) {
  if (out_) self_->send(out_, std::move(command));
}

void player_state::play_thru(std::vector<std::uint8_t>& message) {
  post(midi::transport_command::send{0, std::move(message)});
}

caf::result<midi::device> player_state::open_for_thru() {
  if (!hub_) return no_sound();
  if (current_) return current_->device;
  auto promise = self_->make_response_promise<midi::device>();
  self_->request(out(), caf::infinite, atom::connect_v, device_word({}), synth_settings({}))
      .then([promise](connected_device& d) mutable { promise.deliver(std::move(d.device)); },
            [promise](caf::error& e) mutable { promise.deliver(std::move(e)); });
  return promise;
}

caf::result<device_list> player_state::devices() {
  if (!hub_) return no_sound();
  return self_->delegate(hub_, atom::list_v);
}

caf::result<playback_reply> player_state::perform(playback_job& job, playback::list_devices&) {
  if (!hub_) return no_sound();
  auto promise = self_->make_response_promise<playback_reply>();
  self_->request(hub_, caf::infinite, atom::list_v)
      .then(
          [this, promise, word = device_word(job.settings)](const device_list& all) mutable {
            std::string text;
            std::size_t width = 0;
            for (auto& d : all.devices)
              width = std::max(width, d.id.size());
            for (auto& d : all.devices) {
              auto in_use = current_ && current_->device.id == d.id;
              text += fmt::format("{}{:<{}}  {} ({}){}", text.empty() ? "" : "\n", d.id, width,
                                  d.name, d.system, in_use ? ", playing" : "");
            }
            if (all.devices.empty()) text = "no MIDI device and no synthesizer";
            for (auto& m : all.missing)
              text += '\n' + m.message + (m.advice.empty() ? "" : "\n  " + m.advice);
            if (!word.empty()) text += "\nthis session plays on `" + word + '`';
            promise.deliver(playback_reply{std::move(text), {}});
          },
          [promise](caf::error& e) mutable { promise.deliver(std::move(e)); });
  return promise;
}

caf::result<playback_reply> player_state::perform(playback_job& job, playback::connect& what) {
  if (!hub_) return no_sound();
  auto own = job.settings;
  if (what.device.empty())
    own.erase("midi-device");
  else
    own["midi-device"] = what.device;
  auto plays_here = current_ && current_->job.session == job.session;
  if (what.device.empty() && !plays_here)
    return playback_reply{"this session plays on the default device", {}};
  if (current_ && !plays_here) return only_find(what.device, "this session plays on ");
  auto promise = self_->make_response_promise<playback_reply>();
  self_->request(out(), caf::infinite, atom::connect_v, device_word(own), synth_settings(own))
      .then(
          [this, promise, session = job.session,
           is_default = what.device.empty()](const connected_device& connected) mutable {
            auto& d = connected.device;
            if (current_ && current_->job.session == session) {
              current_->device = d;
              status_.device = d.name;
              tell();
            }
            promise.deliver(
                playback_reply{is_default ? "this session plays on the default device, " + d.name
                                          : "connected to " + d.name,
                               is_default ? std::string{} : d.id});
          },
          [promise](caf::error& e) mutable { promise.deliver(std::move(e)); });
  return promise;
}

/// The device that a word denotes, without playing on it.
caf::result<playback_reply> player_state::only_find(const std::string& word,
                                                    const std::string& text) {
  auto promise = self_->make_response_promise<playback_reply>();
  self_->request(hub_, caf::infinite, atom::list_v)
      .then(
          [promise, word, text](const device_list& all) mutable {
            if (auto found = midi::chosen_device(all.devices, word))
              promise.deliver(playback_reply{text + found->id, found->id});
            else
              promise.deliver(to_problem(with_advice(found.error())));
          },
          [promise](caf::error& e) mutable { promise.deliver(std::move(e)); });
  return promise;
}

caf::result<playback_reply> player_state::perform(playback_job&, playback::change_default& what) {
  if (!hub_) return no_sound();
  auto name = effective_setting("midi-device", {}, setup_.configured);
  if (what.device.empty()) return playback_reply{"midi-device = " + name, {}};
  if (what.device == "auto") return playback_reply{"midi-device = auto", "auto"};
  return only_find(what.device, "midi-device = ");
}

caf::result<playback_reply> player_state::perform(playback_job& job, playback::panic&) {
  if (auto refusal = refusal_of(job)) return std::move(*refusal);
  if (current_) stop_now();
  post(midi::transport_command::panic{});
  return playback_reply{"all notes off", {}};
}

void player_state::set_default_device(const std::string& device) {
  setup_.configured["midi-device"] = device;
}

caf::result<midi::device> player_state::send(const playback_job& job,
                                             std::vector<std::vector<std::uint8_t>> messages) {
  if (!hub_) return no_sound();
  if (auto refusal = refusal_of(job)) return std::move(*refusal);
  if (current_ && current_->job.session != job.session)
    return make_problem(problem::invalid_state,
                        "session " + current_->job.session + " is playing " + status_.what,
                        "Stop it first: the messages would move it to another device.");
  auto promise = self_->make_response_promise<midi::device>();
  self_
      ->request(out(), caf::infinite, atom::connect_v, device_word(job.settings),
                synth_settings(job.settings))
      .then(
          [this, promise, messages = std::move(messages)](connected_device& d) mutable {
            if (auto refusal = refusal_of_length(messages, d)) {
              promise.deliver(std::move(*refusal));
              return;
            }
            for (auto& m : messages)
              post(midi::transport_command::send{0, std::move(m)});
            promise.deliver(std::move(d.device));
          },
          [promise](caf::error& e) mutable { promise.deliver(std::move(e)); });
  return promise;
}

}  // namespace fermata::actors
