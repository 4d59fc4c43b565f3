#include "midi/synth/synth_port.hpp"

#include "tests/midi/synth/heard.hpp"
#include "tests/midi/synth/listener.hpp"
#include "tests/support/temporary_folder.hpp"

#include <catch2/catch.hpp>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace fermata::midi::synth_port_test {

using namespace fermata::midi::synth_testing;
using namespace std::chrono_literals;

namespace {

bool send(output_port& port, std::vector<std::uint8_t> bytes, std::chrono::nanoseconds later = {},
          std::uint8_t group = 0) {
  return port.send(group, bytes, std::chrono::steady_clock::now() + later);
}

std::shared_ptr<output_port> synthesizer_on_jack() {
  synth_settings settings;
  settings.audio_output = "jack";
  auto port = open_synth_port(settings);
  REQUIRE(port);
  return *port;
}

constexpr std::size_t second = 48'000;
constexpr float silence = 0.0005F;

/// Waits until nothing sounds, a tenth of a second long.
void wait_for_silence(listener& ears) {
  while (peak_of(ears.heard(ears.count(), second / 10)) > silence) {
  }
}

}  // namespace

TEST_CASE("what is sent to the synthesizer is heard on JACK") {
  FERMATA_NEEDS_JACK();
  jack_server server;
  auto port = synthesizer_on_jack();
  listener ears;
  ears.connect("fermata-synth:left");
  CHECK(port->is_alive());
  CHECK(port->groups() == 16);
  // Two periods of 128 frames at 48 kHz: 5.33 ms.
  CHECK(port->look_ahead() > 5'300us);
  CHECK(port->look_ahead() < 5'400us);
  CHECK(peak_of(ears.heard(ears.count(), second / 10)) <= silence);

  SECTION("a note with its pitch, until it ends") {
    REQUIRE(send(*port, {0xC0, 79}));
    REQUIRE(send(*port, {0x90, 69, 100}));
    auto begun = ears.count() + second / 4;
    auto tone = ears.heard(begun, second / 2);
    CHECK(peak_of(tone) > 0.01F);
    CHECK(margin_of_key(tone, 69) > sounds);
    REQUIRE(send(*port, {0x80, 69, 64}));
    wait_for_silence(ears);
  }

  SECTION("in the last group of channels too") {
    REQUIRE(send(*port, {0xCF, 79}, {}, 15));
    REQUIRE(send(*port, {0x9F, 64, 100}, {}, 15));
    CHECK(margin_of_key(ears.heard(ears.count() + second / 4, second / 2), 64) > sounds);
    REQUIRE(send(*port, {0xBF, 120, 0}, {}, 15));
    wait_for_silence(ears);
  }

  SECTION("a note that is due later is not heard before") {
    // The woodblock, whose attack is immediate.
    REQUIRE(send(*port, {0xC0, 115}));
    auto due = std::chrono::steady_clock::now() + 500ms;
    auto from = ears.count(), before = from;
    REQUIRE(port->send(0, std::vector<std::uint8_t>{0x90, 60, 127}, due));
    // What JACK has played a tenth of a second before, as its own clock is an estimate.
    for (auto now = from; std::chrono::steady_clock::now() < due - 100ms; now = ears.count()) {
      before = now;
      listener::wait_a_little();
    }
    CHECK(before > from);
    CHECK(peak_of(ears.heard(from, before - from)) <= silence);
    while (peak_of(ears.heard(before, ears.count() - before)) <= silence)
      listener::wait_a_little();
  }

  SECTION("incomplete messages are refused") {
    CHECK_FALSE(send(*port, {0x90, 60}));
    CHECK_FALSE(send(*port, {60, 100}));
    CHECK_FALSE(send(*port, {0x90, 60, 200}));
    CHECK_FALSE(send(*port, {}));
  }

  SECTION("a full queue refuses what it cannot take, and goes on once there is room") {
    std::size_t taken = 0;
    while (taken < 1'000'000 && send(*port, {0xB0, 7, 100}, 300ms))
      ++taken;
    CHECK(taken >= 1'000);
    CHECK(taken < 1'000'000);
    (void)ears.heard(ears.count(), second / 2);
    REQUIRE(send(*port, {0x90, 69, 100}));
    CHECK(peak_of(ears.heard(ears.count(), second / 2)) > 0.01F);
  }
}

TEST_CASE("the synthesizer notices that the server has ended, and opens again on the next one") {
  FERMATA_NEEDS_JACK();
  for (int signal : {SIGTERM, SIGKILL}) {
    jack_server server;
    auto port = synthesizer_on_jack();
    REQUIRE(send(*port, {0x90, 69, 100}));
    server.stop(signal);
    while (port->is_alive())
      listener::wait_a_little();
    CHECK_FALSE(send(*port, {0x80, 69, 64}));
    CHECK_FALSE(send(*port, {0x90, 69, 100}));
    server.start();
    // libjack deletes clients of the old server when a new one is opened, which would make
    // closing them a crash: so none is opened while they exist.
    synth_settings settings;
    settings.audio_output = "jack";
    auto too_early = open_synth_port(settings);
    REQUIRE_FALSE(too_early);
    CHECK(too_early.error().message.find("has ended") != std::string::npos);
    port.reset();
    auto again = synthesizer_on_jack();
    listener ears;
    ears.connect("fermata-synth:left");
    REQUIRE(send(*again, {0xC0, 79}));
    REQUIRE(send(*again, {0x90, 69, 100}));
    CHECK(margin_of_key(ears.heard(ears.count() + second / 4, second / 2), 69) > sounds);
  }
}

TEST_CASE("what is sent to the synthesizer is heard on ALSA") {
  // ALSA's plugin "file" in place of a sound card: what is played is written to a file, in 32-bit
  // floating point as it comes.
  temporary_folder folder;
  auto config = folder.path() / "alsa.conf", heard = folder.path() / "heard.raw";
  std::ofstream{config} << "pcm.silent { type null }\n"
                           "pcm.default { type file slave.pcm silent format raw file \""
                        << heard.string() << "\" }\n";
  ::setenv("ALSA_CONFIG_PATH", config.c_str(), 1);
  synth_settings settings;
  settings.audio_output = "alsa";
  auto opened = open_synth_port(settings);
  REQUIRE(opened);
  auto port = std::move(*opened);
  CHECK(send(*port, {0xC0, 79}));
  CHECK(send(*port, {0x90, 69, 100}));
  auto frames = [&] {
    std::error_code none;
    auto size = std::filesystem::file_size(heard, none);
    return none ? 0 : size / (2 * sizeof(float));
  };
  auto begun = std::chrono::steady_clock::now();
  while (frames() < second)
    listener::wait_a_little();
  // A device without a clock of its own is played to in real time, not as fast as possible; with
  // a fifth of a second, and what was opened before the beginning, of buffer.
  CHECK(std::chrono::steady_clock::now() - begun > 500ms);
  CHECK(port->is_alive());
  port.reset();
  std::vector<float> both(2 * second), left;
  std::ifstream in{heard, std::ios::binary};
  in.read(reinterpret_cast<char*>(both.data()),
          static_cast<std::streamsize>(both.size() * sizeof(float)));
  for (std::size_t i = second; i < both.size(); i += 2)
    left.push_back(both[i]);
  CHECK(margin_of_key(left, 69) > sounds);
  ::unsetenv("ALSA_CONFIG_PATH");
}

TEST_CASE("without a sound output the synthesizer says what is missing") {
  ::setenv("JACK_DEFAULT_SERVER", "fermata-no-such-server", 1);
  ::setenv("PULSE_SERVER", "unix:/nonexistent/pulse", 1);
  ::setenv("ALSA_CONFIG_PATH", "/nonexistent/alsa.conf", 1);
  auto port = open_synth_port({});
  REQUIRE_FALSE(port);
  CHECK(port.error().kind == sound_failure::kind_t::no_device);
  for (auto system : {"JACK", "PulseAudio", "ALSA"})
    CHECK(port.error().message.find(system) != std::string::npos);
  CHECK_FALSE(port.error().advice.empty());
  synth_settings unknown;
  unknown.audio_output = "gramophone";
  CHECK(open_synth_port(unknown).error().advice == "Choose jack, pulse or alsa.");
  for (auto name : {"JACK_DEFAULT_SERVER", "PULSE_SERVER", "ALSA_CONFIG_PATH"})
    ::unsetenv(name);
}

}  // namespace fermata::midi::synth_port_test
