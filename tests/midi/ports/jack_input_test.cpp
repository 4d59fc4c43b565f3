#include "midi/ports/jack_input.hpp"

#include "midi/ports/port_system.hpp"
#include "tests/midi/ports/jack_server.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <deque>
#include <memory>
#include <mutex>

namespace fermata::midi::jack_input_test {

using namespace testing;
using namespace std::chrono_literals;

namespace {

struct received {
  steady_time at;
  std::vector<std::uint8_t> bytes;
};

/// What has come to an input.
class recording_receiver {
public:
  message_receiver function() {
    return [this](steady_time at, std::span<const std::uint8_t> bytes) {
      std::lock_guard lock{mutex_};
      all_.push_back({at, {bytes.begin(), bytes.end()}});
    };
  }
  std::vector<received> all() {
    std::lock_guard lock{mutex_};
    return all_;
  }
  bool wait_for(std::size_t count) {
    return becomes_true([&] { return all().size() >= count; });
  }

private:
  std::mutex mutex_;
  std::vector<received> all_;
};

bool lists(const std::vector<device>& all, const std::string& id) {
  return std::any_of(all.begin(), all.end(), [&](auto& d) { return d.id == id; });
}

/// A MIDI port "keys:out" that sends when it is told to.
class keyboard {
public:
  keyboard() {
    auto opened = open_jack_client("keys");
    REQUIRE(opened);
    client_ = std::move(*opened);
    port_ = jack_port_register(client_.get(), "out", JACK_DEFAULT_MIDI_TYPE, JackPortIsOutput, 0);
    REQUIRE(port_);
    jack_set_process_callback(
        client_.get(),
        [](jack_nframes_t frames, void* p) { return static_cast<keyboard*>(p)->process(frames); },
        this);
    REQUIRE(jack_activate(client_.get()) == 0);
  }
  /// As many in each cycle as fit, at its first frames.
  void play(std::vector<std::vector<std::uint8_t>> messages) {
    std::lock_guard lock{mutex_};
    for (auto& m : messages)
      waiting_.push_back(std::move(m));
  }

private:
  int process(jack_nframes_t frames) {
    std::lock_guard lock{mutex_};
    auto buffer = jack_port_get_buffer(port_, frames);
    jack_midi_clear_buffer(buffer);
    for (jack_nframes_t i = 0; i < frames && !waiting_.empty(); ++i) {
      auto space = jack_midi_event_reserve(buffer, i, waiting_.front().size());
      if (!space) break;
      std::copy(waiting_.front().begin(), waiting_.front().end(), space);
      waiting_.pop_front();
    }
    return 0;
  }

  std::mutex mutex_;
  std::deque<std::vector<std::uint8_t>> waiting_;
  jack_port_t* port_ = nullptr;
  jack_client_ptr client_;  // destroyed first: it ends the calls of `process`
};

std::vector<std::uint8_t> numbered(int i) {
  return {0x90, static_cast<std::uint8_t>(i % 128), static_cast<std::uint8_t>(1 + i / 128 % 127)};
}

}  // namespace

TEST_CASE("a source of JACK is listed as an input, Fermata's own ports are not") {
  FERMATA_NEEDS_JACK();
  jack_server server;
  port_system system;
  CHECK_FALSE(lists(system.input_devices(), "jack:keys:out"));
  keyboard keys;
  midi_probe destination;
  recording_receiver receiver;
  auto output = system.open(virtual_id);
  auto input = system.open_input(virtual_id, receiver.function());
  REQUIRE(output);
  REQUIRE(input);
  auto inputs = system.input_devices();
  CHECK(lists(inputs, "jack:keys:out"));
  CHECK(lists(inputs, virtual_id));
  CHECK_FALSE(lists(inputs, "jack:probe:in"));
  CHECK(std::none_of(inputs.begin(), inputs.end(),
                     [](auto& d) { return d.id.find("ermata") != std::string::npos; }));
  auto outputs = system.devices();
  CHECK_FALSE(lists(outputs, "jack:keys:out"));
  CHECK(std::none_of(outputs.begin(), outputs.end(),
                     [](auto& d) { return d.id.find("ermata") != std::string::npos; }));
}

TEST_CASE("ten thousand messages arrive complete, in order and stamped") {
  FERMATA_NEEDS_JACK();
  jack_server server;
  port_system system;
  keyboard keys;
  recording_receiver receiver;
  auto input = system.open_input("jack:keys:out", receiver.function());
  REQUIRE(input);
  constexpr int count = 10'000;
  std::vector<std::vector<std::uint8_t>> messages;
  for (int i = 0; i < count; ++i)
    messages.push_back(numbered(i));
  auto before = std::chrono::steady_clock::now();
  keys.play(messages);
  REQUIRE(receiver.wait_for(count));
  auto after = std::chrono::steady_clock::now();
  auto all = receiver.all();
  REQUIRE(all.size() == count);
  CHECK((*input)->lost() == 0);
  for (int i = 0; i < count; ++i) {
    auto& m = all[static_cast<std::size_t>(i)];
    REQUIRE(m.bytes == numbered(i));
    if (i > 0) REQUIRE(m.at >= all[static_cast<std::size_t>(i - 1)].at);
  }
  // By the clock of the system, however busy that is.
  CHECK(all.front().at > before - 5s);
  CHECK(all.back().at < after + 5s);
}

TEST_CASE("exclusive messages arrive whole") {
  FERMATA_NEEDS_JACK();
  jack_server server;
  port_system system;
  keyboard keys;
  recording_receiver receiver;
  auto input = system.open_input("jack:keys:out", receiver.function());
  REQUIRE(input);
  std::vector<std::uint8_t> exclusive(1'000, 0x11);
  exclusive.front() = 0xF0;
  exclusive.back() = 0xF7;
  keys.play({exclusive, {0x90, 60, 1}});
  REQUIRE(receiver.wait_for(2));
  CHECK(receiver.all()[0].bytes == exclusive);
}

TEST_CASE("an input notices that its source, or its server, is gone") {
  FERMATA_NEEDS_JACK();
  jack_server server;
  port_system system;
  recording_receiver receiver;
  SECTION("the source") {
    auto keys = std::make_unique<keyboard>();
    auto input = system.open_input("jack:keys:out", receiver.function());
    REQUIRE(input);
    CHECK((*input)->is_alive());
    keys.reset();
    CHECK(becomes_true([&] { return !(*input)->is_alive(); }));
  }
  SECTION("the server") {
    auto input = system.open_input(virtual_id, receiver.function());
    REQUIRE(input);
    server.stop(SIGKILL);
    CHECK(becomes_true([&] { return !(*input)->is_alive(); }));
  }
}

TEST_CASE("an input that is not there is refused") {
  FERMATA_NEEDS_JACK();
  jack_server server;
  port_system system;
  recording_receiver receiver;
  for (auto id : {"jack:nobody:out", "jack:", "synth", ""}) {
    INFO(id);
    auto input = system.open_input(id, receiver.function());
    REQUIRE_FALSE(input);
    CHECK(input.error().kind == sound_failure::kind_t::no_device);
    CHECK_FALSE(input.error().advice.empty());
  }
}

}  // namespace fermata::midi::jack_input_test
