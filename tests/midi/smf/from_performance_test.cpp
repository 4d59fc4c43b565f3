#include "midi/smf/from_performance.hpp"

#include "midi/smf/meta.hpp"
#include "tests/midi/smf/bytes.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

namespace fermata::smf_from_performance_test {

using namespace fermata::midi;
using fermata::testing::smf::shown;
using smf::from_performance;

namespace {

timed_event event_at(rational at, message what, std::uint32_t track = 1) {
  timed_event e;
  e.at = quarters{at};
  e.track = track;
  e.what = std::move(what);
  return e;
}

/// A conductor's track and a part, four quarters long.
performance performance_of(std::vector<timed_event> events) {
  performance p;
  p.tracks.push_back({"Song", std::nullopt, 0});
  p.tracks.push_back({"Flute", 0, 0});
  p.events = std::move(events);
  p.end = quarters{4};
  return p;
}

}  // namespace

TEST_CASE("a performance becomes a file of format 1") {
  auto p = performance_of(
      {event_at(0, time_change{3, 4}, 0), event_at(0, text_event{text_kind::marker, "A"}, 0),
       event_at(0, midi::key_change{-3, true}), event_at(0, program_change{2, 73}),
       event_at(0, controller{2, controllers::volume, 100}), event_at(0, pitch_bend{2, 0}),
       event_at(0, text_event{text_kind::lyric, "la"}), event_at(0, note_on{2, 60, 80}),
       event_at(2, note_off{2, 60, 64})});
  auto f = from_performance(p);
  CHECK(f.format == 1);
  CHECK(f.division == smf::time_division{smf::ticks_per_quarter{480}});
  // 120 quarters per minute are 500000 (07 A1 20) microseconds each. Pitch bend: centre 8192.
  CHECK(shown(f) ==
        "0 FF 03 53 6F 6E 67, 0 FF 51 07 A1 20, 0 FF 58 03 02 18 08, 0 FF 06 41, 1920 end | "
        "0 FF 03 46 6C 75 74 65, 0 FF 59 FD 01, 0 FF 05 6C 61, 0 C2 49, 0 B2 07 64, 0 E2 00 40, "
        "0 92 3C 50, 960 82 3C 40, 1920 end");
}

TEST_CASE("tempos come from the tempo map") {
  auto p = performance_of({event_at(0, tempo_change{600'000}, 0)});
  p.tempo = tempo_map{{{quarters{0}, 600'000}, {quarters{rational{5, 2}}, 1'000'000}}};
  // 600000 is 09 27 C0, a million 0F 42 40.
  CHECK(shown(from_performance(p).tracks[0]) ==
        "0 FF 03 53 6F 6E 67, 0 FF 51 09 27 C0, 1200 FF 51 0F 42 40, 1920 end");
}

TEST_CASE("tuplets have an exact place in the division") {
  auto notes = [](std::int64_t parts) {
    std::vector<timed_event> events;
    for (std::int64_t i = 0; i < parts; ++i) {
      events.push_back(event_at({i, parts}, note_on{0, 60, 80}));
      events.push_back(event_at({i + 1, parts}, note_off{0, 60, 64}));
    }
    std::stable_sort(events.begin(), events.end(), plays_before);
    return performance_of(std::move(events));
  };
  auto division = [](const performance& p) {
    return std::get<smf::ticks_per_quarter>(from_performance(p).division).ticks;
  };
  CHECK(division(notes(3)) == 480);
  CHECK(division(notes(7)) == 3360);    // 480 * 7
  CHECK(division(notes(64)) == 960);    // 480 is 32 * 15
  CHECK(division(notes(9)) == 1440);    // 480 is 3 * 160
  CHECK(division(notes(97)) == 10080);  // 480 * 97 is too large
  auto f = from_performance(notes(7));
  CHECK(f.tracks[1].events[1].at == 0);
  CHECK(f.tracks[1].events[2].at == 480);
  CHECK(f.tracks[1].events[3].at == 480);
  CHECK(f.tracks[1].events[4].at == 960);
}

TEST_CASE("a note that would vanish in rounding lasts a tick") {
  // 1/97 makes the division 10080; the note is shorter than half a tick of it.
  auto p = performance_of({event_at({1, 97}, note_on{0, 60, 80}),
                           event_at(rational{1, 97} + rational{1, 40'000}, note_off{0, 60, 64})});
  auto f = from_performance(p);
  REQUIRE(f.tracks[1].events.size() == 3);
  CHECK(f.tracks[1].events[1].at == 104);  // 10080 / 97 = 103.9
  CHECK(f.tracks[1].events[2].at == 105);
}

TEST_CASE("a note ends before the next one of its key begins") {
  auto p = performance_of({event_at(0, note_on{0, 60, 80}), event_at(1, note_off{0, 60, 64}),
                           event_at(1, note_on{0, 60, 81}), event_at(2, note_off{0, 60, 64})});
  CHECK(shown(from_performance(p).tracks[1]) ==
        "0 FF 03 46 6C 75 74 65, 0 90 3C 50, 480 80 3C 40, 480 90 3C 51, 960 80 3C 40, 1920 end");
}

TEST_CASE("more than sixteen channels need ports") {
  auto p = performance_of({event_at(0, note_on{0, 60, 80}), event_at(1, note_off{0, 60, 64})});
  p.tracks.push_back({"Tuba", 1, 1});
  p.events.push_back(event_at(1, note_on{0, 36, 80}, 2));
  p.events.push_back(event_at(2, note_off{0, 36, 64}, 2));
  auto f = from_performance(p, {0});
  CHECK(f.format == 1);  // one track has one port
  REQUIRE(f.tracks.size() == 3);
  CHECK(shown(f.tracks[1]).starts_with("0 FF 21 00, 0 FF 03 46"));
  CHECK(shown(f.tracks[2]) ==
        "0 FF 21 01, 0 FF 03 54 75 62 61, 480 90 24 50, 960 80 24 40, 1920 end");
}

TEST_CASE("format 0 has everything in one track") {
  auto p = performance_of({event_at(0, time_change{4, 4}, 0), event_at(0, note_on{0, 60, 80}),
                           event_at(0, text_event{text_kind::track_name, "Flute"}),
                           event_at(1, text_event{text_kind::marker, "B"}, 0),
                           event_at(1, note_off{0, 60, 64})});
  auto f = from_performance(p, {0});
  CHECK(f.format == 0);
  CHECK(shown(f) == "0 FF 03 53 6F 6E 67, 0 FF 51 07 A1 20, 0 FF 58 04 02 18 08, 0 90 3C 50, "
                    "480 80 3C 40, 480 FF 06 42, 1920 end");
}

TEST_CASE("pitch bends go from 0 to 16383 in two bytes") {
  auto p = performance_of({event_at(0, pitch_bend{0, -8192}), event_at(1, pitch_bend{0, 8191}),
                           event_at(2, pitch_bend{0, 4096})});
  CHECK(shown(from_performance(p).tracks[1]) == "0 FF 03 46 6C 75 74 65, 0 E0 00 00, "
                                                "480 E0 7F 7F, 960 E0 00 60, 1920 end");
}

}  // namespace fermata::smf_from_performance_test
