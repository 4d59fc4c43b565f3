#include "midi/transcription/take.hpp"

#include <catch2/catch.hpp>

namespace fermata::midi::take_test {

using namespace std::chrono_literals;

namespace {

take_event on(std::chrono::nanoseconds at, int key, std::size_t port = 0, int channel = 0) {
  return {
      at, port, {static_cast<std::uint8_t>(0x90 | channel), static_cast<std::uint8_t>(key), 80}};
}
take_event off(std::chrono::nanoseconds at, int key, std::size_t port = 0, int channel = 0) {
  return {
      at, port, {static_cast<std::uint8_t>(0x80 | channel), static_cast<std::uint8_t>(key), 64}};
}
/// A note on with velocity 0, by MIDI 1.0 a note off.
take_event silent_on(std::chrono::nanoseconds at, int key) {
  return {at, 0, {0x90, static_cast<std::uint8_t>(key), 0}};
}

std::vector<performed_part> parts_of(std::vector<take_event> events,
                                     std::chrono::nanoseconds end = 10s) {
  return performed_parts_of({{"one", "two"}, std::move(events), end});
}

}  // namespace

TEST_CASE("a note lasts from its note on to its note off, of either kind") {
  auto parts = parts_of({on(1s, 60), on(2s, 64), off(3s, 60), silent_on(4s, 64)});
  REQUIRE(parts.size() == 1);
  CHECK(parts[0].notes == std::vector<performed_note>{{1s, 3s, 60, 80, 0}, {2s, 4s, 64, 80, 0}});
}

TEST_CASE("a key that is struck again ends its note") {
  auto notes = parts_of({on(1s, 60), on(2s, 60), off(3s, 60)})[0].notes;
  CHECK(notes == std::vector<performed_note>{{1s, 2s, 60, 80, 0}, {2s, 3s, 60, 80, 0}});
  // Two note offs: the newer note lasts to the last one.
  notes = parts_of({on(1s, 60), on(2s, 60), off(3s, 60), off(4s, 60)})[0].notes;
  CHECK(notes[0].off == 2s);
  CHECK(notes[1].off == 4s);
}

TEST_CASE("what nobody ends lasts to the end, and what nobody began is nothing") {
  auto notes = parts_of({off(1s, 72), on(2s, 60)}, 5s)[0].notes;
  CHECK(notes == std::vector<performed_note>{{2s, 5s, 60, 80, 0}});
  CHECK(parts_of({off(1s, 72)}).empty());
  CHECK(parts_of({}).empty());
}

TEST_CASE("each port and channel is a part, with the program in force at its first note") {
  auto parts = parts_of({{0s, 1, {0xC2, 40}},
                         {0s, 1, {0xC2, 41}},
                         on(1s, 60),
                         on(1s, 62, 1, 2),
                         off(2s, 60),
                         off(2s, 62, 1, 2),
                         on(3s, 35, 0, 9)});
  REQUIRE(parts.size() == 3);
  CHECK(parts[0].channel == 0);
  CHECK_FALSE(parts[0].program);
  CHECK(parts[1].channel == 2);
  CHECK(parts[1].program == 41);
  CHECK(parts[2].channel == 9);
  CHECK(parts[2].notes.front().key == 35);
}

TEST_CASE("the sustain pedal of each channel is kept, and goes up at the end") {
  auto pedal = [](std::chrono::nanoseconds at, int value, int channel = 0) {
    return take_event{
        at, 0, {static_cast<std::uint8_t>(0xB0 | channel), 64, static_cast<std::uint8_t>(value)}};
  };
  auto parts = parts_of({on(1s, 60), pedal(2s, 64), off(3s, 60), pedal(4s, 127), pedal(5s, 63),
                         on(5s, 62, 0, 1), pedal(6s, 90), off(7s, 62, 0, 1)},
                        8s);
  REQUIRE(parts.size() == 2);
  CHECK(parts[0].pedal == std::vector<pedal_span>{{2s, 5s}, {6s, 8s}});
  CHECK(parts[1].pedal.empty());
  // Notes end where the key is let go.
  CHECK(parts[0].notes.front().off == 3s);
  CHECK(sounding_end(1s, parts[0].pedal) == 1s);
  CHECK(sounding_end(3s, parts[0].pedal) == 5s);
  CHECK(sounding_end(5s, parts[0].pedal) == 5s);
}

TEST_CASE("other messages are no notes") {
  take t{{"one"}, {{0s, 0, {0xB0, 64, 127}}, {1s, 0, {0xE0, 0, 64}}, {2s, 0, {0xF0, 1, 0xF7}}}, 3s};
  CHECK(performed_parts_of(t).empty());
  CHECK(count_notes(t) == 0);
  t.events.push_back(on(3s, 60));
  t.events.push_back(silent_on(3s, 61));
  CHECK(count_notes(t) == 1);
}

}  // namespace fermata::midi::take_test
