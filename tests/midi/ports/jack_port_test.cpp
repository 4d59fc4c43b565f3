#include "midi/ports/jack_port.hpp"

#include "midi/ports/port_system.hpp"
#include "tests/midi/ports/jack_server.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <cstdlib>

namespace fermata::midi::jack_port_test {

using namespace testing;
using namespace std::chrono_literals;

namespace {

steady_time now() { return std::chrono::steady_clock::now(); }

/// A message that differs from its 16,255 neighbours.
std::array<std::uint8_t, 3> numbered(int i) {
  return {0x90, static_cast<std::uint8_t>(i % 128), static_cast<std::uint8_t>(1 + i / 128 % 127)};
}

bool lists(port_system& system, const std::string& id) {
  auto all = system.devices();
  return std::any_of(all.begin(), all.end(), [&](auto& d) { return d.id == id; });
}

}  // namespace

TEST_CASE("a JACK port is listed by client and port, without a number that changes") {
  FERMATA_NEEDS_JACK();
  jack_server server;
  port_system system;
  CHECK_FALSE(lists(system, "jack:probe:in"));
  midi_probe probe;
  auto all = system.devices();
  auto found =
      std::find_if(all.begin(), all.end(), [](auto& d) { return d.id == "jack:probe:in"; });
  REQUIRE(found != all.end());
  CHECK(found->system == "JACK");
  CHECK(lists(system, virtual_id));
  CHECK(std::none_of(all.begin(), all.end(), [](auto& d) {
    return d.id.find("ermata") != std::string::npos;  // not our own ports
  }));
}

TEST_CASE("ten thousand messages arrive complete and in order") {
  FERMATA_NEEDS_JACK();
  jack_server server;
  port_system system;
  midi_probe probe;
  auto port = system.open("jack:probe:in");
  REQUIRE(port);
  constexpr int count = 10'000;
  for (int i = 0; i < count; ++i) {
    auto m = numbered(i);
    // A full queue is no loss: the caller is told.
    REQUIRE(becomes_true([&] { return (*port)->send(0, m, now()); }));
  }
  REQUIRE(probe.wait_for(count));
  auto all = probe.messages();
  REQUIRE(all.size() == count);
  int wrong = 0;
  for (int i = 0; i < count; ++i) {
    auto m = numbered(i);
    wrong += !std::equal(m.begin(), m.end(), all[static_cast<std::size_t>(i)].bytes.begin(),
                         all[static_cast<std::size_t>(i)].bytes.end());
  }
  CHECK(wrong == 0);
}

TEST_CASE("notes of one moment sound in the same frame, and later ones later") {
  FERMATA_NEEDS_JACK();
  jack_server server;
  port_system system;
  midi_probe probe;
  auto port = system.open("jack:probe:in");
  REQUIRE(port);
  // Two periods.
  CHECK((*port)->look_ahead() ==
        2 * std::chrono::nanoseconds{1'000'000'000LL * jack_server::period / jack_server::rate});
  // 200 chords of two notes, 5 ms apart, sent far ahead.
  constexpr int chords = 200;
  auto begin = now() + 2s;
  for (int i = 0; i < chords; ++i)
    for (std::uint8_t key : {60, 64}) {
      std::array<std::uint8_t, 3> m{0x90, key, 80};
      REQUIRE((*port)->send(0, m, begin + i * 5ms));
    }
  REQUIRE(probe.wait_for(2 * chords));
  auto all = probe.messages();
  // By how much later is measured by the benchmark: a busy machine runs some cycles late.
  for (std::size_t i = 0; i < all.size(); i += 2) {
    CHECK(all[i].frame == all[i + 1].frame);
    if (i > 0) CHECK(static_cast<std::int32_t>(all[i].frame - all[i - 2].frame) >= 0);
  }
}

TEST_CASE("a port refuses what is not one complete message, and what JACK would lose") {
  FERMATA_NEEDS_JACK();
  jack_server server;
  port_system system;
  midi_probe probe;
  auto port = system.open("jack:probe:in");
  REQUIRE(port);
  auto send = [&](std::vector<std::uint8_t> m) { return (*port)->send(0, m, now()); };
  CHECK_FALSE(send({}));
  CHECK_FALSE(send({0x90, 60}));
  CHECK_FALSE(send({60, 80}));                      // running status
  CHECK_FALSE(send({0x90, 60, 80, 0x90, 64, 80}));  // two
  CHECK_FALSE(send({0x90, 60, 200}));               // data above 127
  CHECK_FALSE(send({0xF0, 1, 2}));                  // unterminated
  std::vector<std::uint8_t> dump(16'379, 1);        // the most that JACK passes on
  dump.front() = 0xF0;
  dump.back() = 0xF7;
  auto too_long = dump;
  too_long.insert(too_long.begin() + 1, 1);
  CHECK_FALSE(send(too_long));
  CHECK(send(dump));
  CHECK(send({0x90, 60, 80}));
  REQUIRE(probe.wait_for(2));
  CHECK(probe.messages()[0].bytes == dump);
  CHECK(probe.messages()[1].bytes == std::vector<std::uint8_t>{0x90, 60, 80});
}

TEST_CASE("what is sent last arrives although the port is closed at once") {
  FERMATA_NEEDS_JACK();
  jack_server server;
  port_system system;
  midi_probe probe;
  for (int round = 1; round <= 10; ++round) {
    auto port = system.open("jack:probe:in");
    REQUIRE(port);
    for (int i = 0; i < 100; ++i)
      REQUIRE((*port)->send(0, numbered(i), now()));
    port->reset();
    CHECK(probe.wait_for(static_cast<std::size_t>(100 * round)));
  }
}

TEST_CASE("an unknown port, or one that has gone, is no device") {
  FERMATA_NEEDS_JACK();
  jack_server server;
  port_system system;
  for (auto id : {"jack:nobody:in", "jack:", "alsa:", "jack:system:playback_1000"}) {
    INFO(id);
    auto opened = system.open(id);
    REQUIRE_FALSE(opened);
    CHECK(opened.error().kind == sound_failure::kind_t::no_device);
  }
}

TEST_CASE("a receiver that dies in the middle of a chord is noticed, and found again") {
  FERMATA_NEEDS_JACK();
  jack_server server;
  port_system system;
  std::atomic<int> changes{0};
  system.watch([&] { ++changes; });
  auto probe = std::make_unique<midi_probe>();
  auto port = system.open("jack:probe:in");
  REQUIRE(port);
  REQUIRE((*port)->send(0, numbered(0), now()));
  REQUIRE(probe->wait_for(1));
  auto before = changes.load();
  probe.reset();
  CHECK(becomes_true([&] { return !(*port)->is_alive(); }));
  CHECK(becomes_true([&] { return changes > before; }));
  CHECK_FALSE((*port)->send(0, numbered(1), now()));
  CHECK_FALSE(lists(system, "jack:probe:in"));
  port->reset();
  probe = std::make_unique<midi_probe>();
  port = system.open("jack:probe:in");
  REQUIRE(port);
  REQUIRE((*port)->send(0, numbered(2), now()));
  CHECK(probe->wait_for(1));
  system.watch(nullptr);
}

TEST_CASE("the virtual port sounds in what another program connects to it") {
  FERMATA_NEEDS_JACK();
  jack_server server;
  port_system system;
  midi_probe probe;
  auto port = system.open(virtual_id);
  REQUIRE(port);
  CHECK((*port)->is_alive());  // although nobody listens
  auto names =
      jack_get_ports(probe.client(), ":Fermata$", JACK_DEFAULT_MIDI_TYPE, JackPortIsOutput);
  REQUIRE(names);
  REQUIRE(jack_connect(probe.client(), names[0], "probe:in") == 0);
  jack_free(names);
  REQUIRE((*port)->send(0, numbered(7), now()));
  CHECK(probe.wait_for(1));
  CHECK((*port)->is_alive());
}

TEST_CASE("a server that is killed loses the port, and is used again when it has returned") {
  FERMATA_NEEDS_JACK();
  for (auto signal : {SIGTERM, SIGKILL}) {
    INFO(signal);
    jack_server server;
    port_system system;
    auto probe = std::make_unique<midi_probe>();
    auto port = system.open("jack:probe:in");
    REQUIRE(port);
    REQUIRE((*port)->send(0, numbered(0), now()));
    REQUIRE(probe->wait_for(1));
    server.stop(signal);
    REQUIRE(becomes_true([&] { return !(*port)->is_alive(); }));
    // More than the queue would hold: nothing waits for a server that is not there.
    for (int i = 0; i < 100'000; ++i)
      CHECK_FALSE((*port)->send(0, numbered(i), now()));
    // While a port of the old server is open, nothing may be opened on a new one.
    CHECK_FALSE(lists(system, "jack:probe:in"));
    probe.reset();
    port->reset();
    CHECK_FALSE(lists(system, virtual_id));
    server.start();
    probe = std::make_unique<midi_probe>();
    REQUIRE(becomes_true([&] { return lists(system, "jack:probe:in"); }));
    port = system.open("jack:probe:in");
    REQUIRE(port);
    REQUIRE((*port)->send(0, numbered(1), now()));
    CHECK(probe->wait_for(1));
    port->reset();
    probe.reset();
  }
}

}  // namespace fermata::midi::jack_port_test
