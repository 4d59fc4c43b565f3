#include "midi/transport/plan_of_file.hpp"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <string>
#include <vector>

namespace fermata::midi::plan_of_file_test {

using namespace std::chrono_literals;

namespace {

smf::event message(smf::ticks at, int status, int data1, int data2 = 0) {
  return {at,
          smf::channel_message{static_cast<std::uint8_t>(status), static_cast<std::uint8_t>(data1),
                               static_cast<std::uint8_t>(data2)}};
}

smf::event meta(smf::ticks at, int type, std::string data) {
  return {at, smf::meta_event{static_cast<std::uint8_t>(type), std::move(data)}};
}

smf::file file_of(smf::time_division division, std::vector<smf::track> tracks) {
  smf::file f;
  f.format = tracks.size() == 1 ? 0 : 1;
  f.division = division;
  f.tracks = std::move(tracks);
  for (auto& t : f.tracks)
    if (!t.events.empty()) t.end = std::max(t.end, t.events.back().at);
  return f;
}

playback_plan_ptr plan_of(const smf::file& f) {
  auto plan = plan_of_file(f);
  REQUIRE(plan);
  return *plan;
}

/// "nanoseconds port part: bytes" of each event.
std::vector<std::string> events(const playback_plan& plan) {
  std::vector<std::string> all;
  for (auto& e : plan.events) {
    auto text = fmt::format("{} {} {}:", e.time / 1ns, e.port, e.part);
    for (int i = 0; i < e.size; ++i)
      text += fmt::format(" {:02X}", e.bytes[i]);
    all.push_back(text);
  }
  return all;
}

using lines = std::vector<std::string>;

}  // namespace

TEST_CASE("a file off any grid is played to the nanosecond") {
  // 480 ticks are half a second, from there on a quarter: a tick of 520,833.3 ns.
  auto plan = plan_of(file_of(smf::ticks_per_quarter{480},
                              {{{meta(0, 0x51, {"\x07\xA1\x20", 3}), message(1, 0x90, 60, 70),
                                 meta(480, 0x51, {"\x03\xD0\x90", 3}), message(481, 0x80, 60, 33),
                                 message(481, 0xA0, 60, 5), message(481, 0xD0, 9)},
                                0}}));
  CHECK(events(*plan) == lines{"1041667 0 0: 90 3C 46", "500520833 0 0: 80 3C 21",
                               "500520833 0 0: A0 3C 05", "500520833 0 0: D0 09"});
  CHECK(plan->end == 500'520'833ns);
}

TEST_CASE("SMPTE time is that of the frames, whatever the tempo") {
  auto tempo = meta(0, 0x51, {"\x03\xD0\x90", 3});
  auto second = [&](int frames, int ticks, smf::ticks at) {
    return plan_of(file_of(smf::ticks_per_frame{frames, ticks},
                           {{{tempo, message(at, 0x90, 60, 70)}, 0}}))
        ->events.front()
        .time;
  };
  CHECK(second(25, 40, 1'000) == 1s);
  CHECK(second(24, 2, 48) == 1s);
  CHECK(second(30, 80, 2'400) == 1s);
  // Drop frame: 30,000 frames in 1,001 seconds.
  CHECK(second(29, 1, 30'000) == 1'001s);
  // Measures are two seconds long.
  auto plan = plan_of(file_of(smf::ticks_per_frame{25, 40}, {{{message(5'000, 0x90, 60, 1)}, 0}}));
  REQUIRE(plan->bars.size() >= 3);
  CHECK(plan->bars[2].time == 4s);
  CHECK(plan->bars[2].number == "3");
}

TEST_CASE("a note-on of velocity 0 ends the note") {
  auto plan = plan_of(file_of(smf::ticks_per_quarter{1},
                              {{{message(0, 0x93, 60, 70), message(1, 0x93, 60, 0)}, 0}}));
  CHECK(events(*plan) == lines{"0 0 0: 93 3C 46", "500000000 0 0: 83 3C 40"});
}

TEST_CASE("parts are tracks, and ports those that tracks name") {
  smf::track conductor{{meta(0, 0x03, "Piece"), message(0, 0xB1, 7, 90)}, 0};
  smf::track oboe{{meta(0, 0x03, "Oboe"), meta(0, 0x21, {"\x05", 1}), message(0, 0x91, 70, 1)}, 0};
  smf::track horn{{meta(0, 0x03, "Horn"), message(0, 0x92, 50, 1)}, 0};
  auto plan = plan_of(file_of(smf::ticks_per_quarter{1}, {conductor, oboe, horn}));
  CHECK(plan->parts == lines{"Oboe", "Horn"});
  CHECK(plan->ports == 2);
  // The volume of channel 2 belongs to the oboe, which has that channel.
  CHECK(events(*plan) == lines{"0 0 0: B1 07 5A", "0 1 0: 91 46 01", "0 0 1: 92 32 01"});
  CHECK(plan->channels == std::vector<playback_plan::channel_of_part>{{0, 2, 1}, {1, 1, 0}});
}

TEST_CASE("the channels of a track are one part, unless it is the only track") {
  // A violin whose bent notes are on a channel of their own.
  smf::track violin{{meta(0, 0x03, "Violin"), message(0, 0x90, 70, 1), message(1, 0x91, 71, 1)}, 0};
  smf::track piano{{message(0, 0x92, 50, 1)}, 0};
  auto both = plan_of(file_of(smf::ticks_per_quarter{1}, {violin, piano}));
  CHECK(both->parts == lines{"Violin", "track 2"});
  CHECK(events(*both) == lines{"0 0 0: 90 46 01", "0 0 1: 92 32 01", "500000000 0 0: 91 47 01"});
  CHECK(both->channels ==
        std::vector<playback_plan::channel_of_part>{{0, 0, 0}, {0, 1, 0}, {0, 2, 1}});
  auto alone = plan_of(file_of(smf::ticks_per_quarter{1}, {violin}));
  CHECK(alone->parts == lines{"channel 1", "channel 2"});
}

TEST_CASE("a track that sends nothing needs no port") {
  smf::track conductor{{meta(0, 0x51, {"\x07\xA1\x20", 3})}, 0};
  smf::track oboe{{meta(0, 0x21, {"\x01", 1}), message(0, 0x91, 70, 1)}, 0};
  auto plan = plan_of(file_of(smf::ticks_per_quarter{1}, {conductor, oboe}));
  CHECK(plan->ports == 1);
  CHECK(events(*plan) == lines{"0 0 0: 91 46 01"});
}

TEST_CASE("parts beyond the channels of a device are silenced, and the first eight named") {
  std::vector<smf::track> tracks;
  for (int i = 0; i < 12; ++i)
    tracks.push_back(
        {{meta(0, 0x03, fmt::format("P{}", i)), meta(0, 0x21, std::string(1, static_cast<char>(i))),
          message(0, 0x90, 60, 1)},
         0});
  auto plan = plan_of(file_of(smf::ticks_per_quarter{1}, tracks));
  std::vector<bool> silent{false, false, true};
  CHECK(silence_beyond(*plan, 2, silent) == "P3, P4, P5, P6, P7, P8, P9, P10 and 1 more");
  CHECK(silent == std::vector<bool>{false, false, true, true, true, true, true, true, true, true,
                                    true, true});
  CHECK(silence_beyond(*plan, 2, silent).empty());
}

TEST_CASE("what is not played is counted") {
  smf::track t{{{0, smf::sysex_event{false, "\x7E\x7F\x09\x01\xF7"}},
                {1, smf::sysex_event{true, "\xF8"}},
                message(1, 0x90, 60, 1)},
               0};
  auto plan = plan_of(file_of(smf::ticks_per_quarter{1}, {t}));
  CHECK(plan->left_out == lines{"system exclusive messages left out: 2"});
}

TEST_CASE("measures and beats are those of the time signatures") {
  // 3/4 for two measures, then 6/8.
  smf::track t{{meta(0, 0x58, {"\x03\x02\x18\x08", 4}), meta(6, 0x58, {"\x06\x03\x24\x08", 4}),
                message(8, 0x90, 60, 1), message(9, 0x80, 60, 0)},
               0};
  auto plan = plan_of(file_of(smf::ticks_per_quarter{1}, {t}));
  std::string bars, beats;
  for (auto& b : plan->bars)
    bars += fmt::format("{}:{} ", b.time / 1ms, b.number);
  for (auto& b : plan->beats)
    beats += fmt::format("{}:{} ", b.time / 1ms, b.number);
  CHECK(bars == "0:1 1500:2 3000:3 ");
  CHECK(beats == "0:1 500:2 1000:3 1500:1 2000:2 2500:3 3000:1 3750:2 ");
}

TEST_CASE("a file of separate pieces is refused") {
  auto f = file_of(smf::ticks_per_quarter{1},
                   {{{message(0, 0x90, 60, 1)}, 0}, {{message(0, 0x91, 60, 1)}, 0}});
  f.format = 2;
  auto plan = plan_of_file(f);
  REQUIRE_FALSE(plan);
  CHECK(plan.error().diagnostics.front().message ==
        "a format 2 file cannot be played: its tracks are separate pieces");
}

TEST_CASE("the only track of a file of separate pieces is played") {
  auto f = file_of(smf::ticks_per_quarter{1}, {{{message(0, 0x90, 60, 1)}, 0}});
  f.format = 2;
  CHECK(events(*plan_of(f)) == lines{"0 0 0: 90 3C 01"});
}

TEST_CASE("an empty file and one of endless length are plans") {
  CHECK(plan_of(file_of(smf::ticks_per_quarter{480}, {{{}, 0}}))->events.empty());
  auto plan =
      plan_of(file_of(smf::ticks_per_quarter{1}, {{{message(0, 0x90, 60, 1)}, smf::last_tick}}));
  CHECK(plan->bars.empty());
  CHECK(plan->left_out == lines{"the file has too many measures to count"});
}

}  // namespace fermata::midi::plan_of_file_test
