#include "midi/transport/midi_clock.hpp"

#include "tests/midi/transport/player.hpp"

#include <catch2/catch.hpp>

namespace fermata::midi::midi_clock_test {

using namespace testing;
using namespace std::chrono_literals;

namespace {

playback_options with_clock() {
  playback_options o;
  o.clock = true;
  return o;
}

bool is_system_message(const received_message& m) { return m.bytes[0] >= 0xF0; }

/// The system messages from the `from`-th message on: "fa f8 f8".
std::string system_messages(const receiver& r, std::size_t from = 0) {
  std::string text;
  for (auto i = from; i < r.all.size(); ++i)
    if (is_system_message(r.all[i]))
      for (auto byte : r.all[i].bytes)
        text += fmt::format("{}{:02x}", text.empty() ? "" : " ", byte);
  return text;
}

/// When the pulses come, in whole milliseconds.
std::string pulses(const receiver& r, std::size_t from = 0) {
  std::string text;
  for (auto i = from; i < r.all.size(); ++i)
    if (r.all[i].bytes[0] == 0xF8)
      text += (text.empty() ? "" : " ") + std::to_string(r.all[i].at / 1ms);
  return text;
}

}  // namespace

TEST_CASE("a quarter note has 24 pulses, and the first one is the beginning") {
  player p;
  p.play(plan_of(*one_part({"c4:w"})), with_clock());
  p.run_to(499ms);
  std::string expected = "fa";
  for (int i = 0; i < 24; ++i)
    expected += " f8";
  CHECK(system_messages(p.out) == expected);
  // 500 ms / 24 = 20 5/6 ms.
  CHECK(pulses(p.out).substr(0, 22) == "0 20 41 62 83 104 125 ");
}

TEST_CASE("pulses go on while it is stopped, at the last tempo") {
  player p;
  p.play(plan_of(*four_notes()), with_clock());
  p.run_to(2'010ms);
  REQUIRE(p.engine.take_ended());
  auto before = p.out.all.size();
  p.run_to(3'010ms);
  auto sent = system_messages(p.out, before);
  CHECK(std::count(sent.begin(), sent.end(), '8') == 48);
  CHECK(sent.find("fa") == std::string::npos);
}

TEST_CASE("playback that goes on tells where: in sixteenth notes, while it is stopped") {
  player p;
  p.play(plan_of(*one_part({"c4:w"})), with_clock());
  p.run_to(499ms);
  auto before = p.out.all.size();
  p.engine.pause(p.at());
  CHECK(system_messages(p.out, before) == "fc");
  before = p.out.all.size();
  p.engine.seek(1s, p.at());
  p.engine.resume(p.at());
  p.engine.run(p.at(), p.at());
  // Two quarter notes are eight sixteenths.
  CHECK(system_messages(p.out, before) == "f2 08 00 fb f8");
}

TEST_CASE("between two sixteenth notes, receivers go on at the next one") {
  player p;
  p.play(plan_of(*one_part({"c4:w"})), with_clock());
  p.run_to(400ms);
  p.engine.pause(p.at());
  p.engine.seek(1'060ms, p.at());
  auto before = p.out.all.size();
  p.engine.resume(p.at());
  p.run_to(470ms);
  // The ninth sixteenth is at 1125 ms; the pulses before it are at 1062.5, 1083.3 and 1104.2 ms.
  CHECK(system_messages(p.out, before) == "f2 09 00 f8 f8 f8 fb f8");
  CHECK(pulses(p.out, before) == "402 423 444 465");
}

TEST_CASE("a loop tells where it goes on") {
  player p;
  auto o = with_clock();
  o.loop = true;
  o.from = 500ms;
  o.to = 1s;
  p.play(plan_of(*four_notes()), o);
  p.run_to(499ms);
  auto before = p.out.all.size();
  p.run_to(510ms);
  auto sent = system_messages(p.out, before);
  CHECK(sent.substr(sent.size() - 17) == "fc f2 04 00 fb f8");
}

TEST_CASE("a change of tempo changes the pulses, and none is lost or sent twice") {
  player p;
  p.play(plan_of(*one_part({"c4:w"})), with_clock());
  p.run_to(100ms);
  p.engine.set_tempo(0.5, p.at());
  p.run_to(151ms);
  // The pulse at 104.17 ms is 4.17 ms away, which are now 8.33.
  CHECK(pulses(p.out) == "0 20 41 62 83 108 150");
  CHECK(system_messages(p.out).substr(0, 5) == "fa f8");
  CHECK(system_messages(p.out).find("fc") == std::string::npos);
}

TEST_CASE("an edited score does not disturb the pulses") {
  auto original = plan_of(*one_part({"c4:w", "d4:w"}));
  auto edited = plan_of(*one_part({"c4:w", "e4:w"}), original);
  player p;
  p.play(original, with_clock());
  p.run_to(1'900ms);
  auto before = p.out.all.size();
  p.exchange(edited);
  p.run_to(2'070ms);
  CHECK(p.out.notes() == "0:60 2000:64");
  CHECK(pulses(p.out, before) == "1916 1937 1958 1979 2000 2020 2041 2062");
  CHECK(system_messages(p.out, before) == "f8 f8 f8 f8 f8 f8 f8 f8");
}

}  // namespace fermata::midi::midi_clock_test
