#pragma once

#include "actors/actor_runtime.hpp"
#include "actors/front_end.hpp"
#include "midi/sound/recorder_port.hpp"
#include "tests/actors/session_fixture.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace fermata::actors::testing {

/// An input on which a test plays.
class input_in_memory final : public midi::input_port {
public:
  explicit input_in_memory(midi::message_receiver receiver) : receiver_(std::move(receiver)) {}
  bool is_alive() const noexcept override { return alive_; }
  void lose() { alive_ = false; }
  void play(midi::steady_time at, std::vector<std::uint8_t> bytes) { receiver_(at, bytes); }

private:
  midi::message_receiver receiver_;
  std::atomic<bool> alive_{true};
};

/// Devices in memory, which can be lost and come back. Everything else is real: the actors, the
/// workers, the transport thread.
class devices_in_memory final : public midi::sound_system {
public:
  std::vector<midi::device> devices() override {
    std::lock_guard lock{mutex_};
    std::vector<midi::device> all;
    for (auto& [id, port] : ports_)
      all.push_back({id, "Device " + id, "memory"});
    return all;
  }
  std::vector<midi::sound_failure> missing() override {
    return {{midi::sound_failure::kind_t::no_server, "no MIDI server", "Start one."}};
  }
  midi::sound_result<std::shared_ptr<midi::output_port>> open(
      const std::string& id, const midi::synth_settings&) override {
    std::lock_guard lock{mutex_};
    auto found = ports_.find(id);
    if (found == ports_.end())
      return tl::unexpected(midi::sound_failure{midi::sound_failure::kind_t::no_device,
                                                "no device " + id, "Plug it in."});
    ++opened_;
    return found->second = std::make_shared<midi::recorder_port>();
  }
  midi::sound_result<midi::synth_parts> examine_synth(const midi::synth_settings&) override {
    return tl::unexpected(
        midi::sound_failure{midi::sound_failure::kind_t::no_soundfont, "no synthesizer", {}});
  }
  std::vector<midi::device> input_devices() override {
    std::lock_guard lock{mutex_};
    std::vector<midi::device> all;
    for (auto& [id, input] : inputs_)
      all.push_back({id, "Input " + id, "memory"});
    return all;
  }
  std::vector<midi::sound_failure> missing_inputs() override { return missing(); }
  midi::sound_result<std::shared_ptr<midi::input_port>> open_input(
      const std::string& id, midi::message_receiver receiver) override {
    std::lock_guard lock{mutex_};
    auto found = inputs_.find(id);
    if (found == inputs_.end())
      return tl::unexpected(midi::sound_failure{midi::sound_failure::kind_t::no_device,
                                                "no input " + id, "Plug it in."});
    return found->second = std::make_shared<input_in_memory>(std::move(receiver));
  }
  void watch(std::function<void()> changed) override {
    std::lock_guard lock{mutex_};
    changed_ = std::move(changed);
  }
  midi::sound_result<midi::render_summary> render(const midi::render_job&) override {
    return midi::render_summary{};
  }
  void guard_ports(const std::string&) override {}
  int run_guard(const std::string&, int) override { return 1; }

  void plug_in(const std::string& id) {
    std::lock_guard lock{mutex_};
    ports_[id];
    if (changed_) changed_();
  }
  void unplug(const std::string& id) {
    std::lock_guard lock{mutex_};
    if (auto port = ports_.extract(id); !port.empty() && port.mapped()) port.mapped()->lose();
    if (changed_) changed_();
  }
  /// The port that was opened last on this device; null: none.
  std::shared_ptr<midi::recorder_port> port(const std::string& id) {
    std::lock_guard lock{mutex_};
    auto found = ports_.find(id);
    return found == ports_.end() ? nullptr : found->second;
  }
  int opened() {
    std::lock_guard lock{mutex_};
    return opened_;
  }
  void plug_in_input(const std::string& id) {
    std::lock_guard lock{mutex_};
    inputs_[id];
    if (changed_) changed_();
  }
  void unplug_input(const std::string& id) {
    std::lock_guard lock{mutex_};
    if (auto port = inputs_.extract(id); !port.empty() && port.mapped()) port.mapped()->lose();
    if (changed_) changed_();
  }
  /// The port that was opened last on this input; null: none.
  std::shared_ptr<input_in_memory> input(const std::string& id) {
    std::lock_guard lock{mutex_};
    auto found = inputs_.find(id);
    return found == inputs_.end() ? nullptr : found->second;
  }

private:
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<midi::recorder_port>> ports_;
  std::map<std::string, std::shared_ptr<input_in_memory>> inputs_;
  std::function<void()> changed_;
  int opened_ = 0;
};

inline constexpr std::chrono::seconds patience{60};

/// A terminal on a session of a process that plays on devices in memory.
struct playing_session {
  std::filesystem::path home;  ///< empty: nothing is kept
  setting_values configured{};
  std::shared_ptr<devices_in_memory> devices = std::make_shared<devices_in_memory>();
  system_config config;
  worker_pool_ptr workers = std::make_shared<worker_pool>();
  caf::actor_system sys{config};
  actor_runtime runtime{sys, manager(), sound()};
  front_end::inbox inbox;
  front_end window{sys, runtime.sessions(), inbox, runtime.player(), runtime.recorder()};
  playback_status status;
  recording_status recording;
  std::vector<std::string> notices;

  explicit playing_session(std::filesystem::path folder = {}, setting_values settings = {})
    : home(std::move(folder)), configured(std::move(settings)) {
    devices->plug_in("piano");
    window.open("test");
    wait([&](front_end_event& e) { return std::holds_alternative<front_end_events::opened>(e); });
  }

  manager_setup manager() {
    manager_setup setup;
    setup.home = home;
    setup.evaluate = &fermata::evaluate;
    setup.now = [] {
      return std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
    };
    setup.workers = workers;
    return setup;
  }
  player_setup sound() {
    player_setup setup;
    setup.configured = configured;
    setup.load = [d = devices]() -> midi::sound_result<std::shared_ptr<midi::sound_system>> {
      return std::static_pointer_cast<midi::sound_system>(d);
    };
    return setup;
  }

  /// Takes events until one is the wanted one.
  void wait(const std::function<bool(front_end_event&)>& is_wanted) {
    auto until = std::chrono::steady_clock::now() + patience;
    while (std::chrono::steady_clock::now() < until) {
      for (auto& e : inbox.take()) {
        if (auto played = std::get_if<front_end_events::played>(&e)) {
          status = played->status;
          if (!status.notice.empty()) notices.push_back(status.notice);
        }
        if (auto recorded = std::get_if<front_end_events::recorded>(&e)) {
          recording = recorded->status;
          if (!recording.notice.empty()) notices.push_back(recording.notice);
        }
        if (is_wanted(e)) found_ = true;
      }
      if (std::exchange(found_, false)) return;
      std::this_thread::sleep_for(std::chrono::milliseconds{1});
    }
    FAIL("nothing came in time");
  }
  void wait_for_status(const std::function<bool(const playback_status&)>& is_wanted) {
    if (is_wanted(status)) return;
    wait([&](front_end_event& e) {
      auto played = std::get_if<front_end_events::played>(&e);
      return played && is_wanted(played->status);
    });
  }
  void wait_for_recording(const std::function<bool(const recording_status&)>& is_wanted) {
    if (is_wanted(recording)) return;
    wait([&](front_end_event&) { return is_wanted(recording); });
  }
  /// Until so many notices have come.
  void wait_for_notices(std::size_t count) {
    if (notices.size() >= count) return;
    wait([&](front_end_event&) { return notices.size() >= count; });
  }
  void wait_for_state(playback_status::state_t state) {
    wait_for_status([state](auto& s) { return s.state == state; });
  }

  /// The output of a line; a refused one begins with "! ".
  std::string enter(const std::string& text) {
    window.submit({text, {"user", "terminal"}, std::make_shared<std::atomic<bool>>(false)});
    std::string output;
    wait([&](front_end_event& e) {
      auto answered = std::get_if<front_end_events::answered>(&e);
      if (!answered) return false;
      for (auto& entry : answered->what.entries)
        if (auto command = std::get_if<command_entry>(&entry->kind))
          output = (command->ok ? "" : "! ") + command->output;
      return true;
    });
    return output;
  }

  /// Keys of notes that the device was told to play, in order.
  std::vector<int> keys_on(const std::string& device = "piano") {
    std::vector<int> keys;
    if (auto port = devices->port(device))
      for (auto& m : port->messages())
        if ((m.bytes[0] & 0xF0) == 0x90 && m.bytes[2] > 0) keys.push_back(m.bytes[1]);
    return keys;
  }
  /// How many notes have been begun and not ended on a device.
  int sounding(const std::string& device = "piano") {
    std::map<int, int> notes;
    if (auto port = devices->port(device))
      for (auto& m : port->messages()) {
        auto note = (m.bytes[0] & 0x0F) * 128 + m.bytes[1];
        if ((m.bytes[0] & 0xF0) == 0x90 && m.bytes[2] > 0) ++notes[note];
        if ((m.bytes[0] & 0xF0) == 0x80 || ((m.bytes[0] & 0xF0) == 0x90 && m.bytes[2] == 0))
          notes[note] = 0;
      }
    int all = 0;
    for (auto& [note, count] : notes)
      all += count;
    return all;
  }
  /// As soon as the device was told to play so many notes.
  void wait_for_notes(std::size_t count, const std::string& device = "piano") {
    wait_until([&] { return keys_on(device).size() >= count; });
  }
  void wait_for_key(int key) {
    wait_until([&] {
      auto keys = keys_on();
      return std::find(keys.begin(), keys.end(), key) != keys.end();
    });
  }
  void wait_for_silence(const std::string& device = "piano") {
    wait_until([&] { return sounding(device) == 0; });
  }

  bool becomes_true(const std::function<bool()>& is_so) {
    wait_until(is_so);
    return true;
  }

private:
  static void wait_until(const std::function<bool()>& is_so) {
    auto until = std::chrono::steady_clock::now() + patience;
    while (!is_so()) {
      REQUIRE(std::chrono::steady_clock::now() < until);
      std::this_thread::sleep_for(std::chrono::milliseconds{1});
    }
  }

  bool found_ = false;
};

}  // namespace fermata::actors::testing
