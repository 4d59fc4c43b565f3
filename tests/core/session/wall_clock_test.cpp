#include "core/session/timeline/wall_clock.hpp"

#include "core/session/commands/command.hpp"
#include "core/session/timeline/entry_text.hpp"
#include "tests/core/session/session_values.hpp"

#include <catch2/catch.hpp>

namespace fermata::wall_clock_test {

using namespace std::chrono_literals;

namespace {

timestamp utc(int month, unsigned day, int hour, int minute, int second = 0) {
  return timestamp{std::chrono::sys_days{std::chrono::year{2026} / month / static_cast<int>(day)}} +
         std::chrono::hours{hour} + std::chrono::minutes{minute} + std::chrono::seconds{second};
}

/// New York in 2026: put forward on 8 March and back on 1 November, at two in the morning.
std::chrono::seconds new_york(timestamp t) {
  return t >= utc(3, 8, 7, 0) && t < utc(11, 1, 6, 0) ? -4h : -5h;
}
std::chrono::seconds kolkata(timestamp) { return 5h + 30min; }

}  // namespace

// Expected: Python 3.11, datetime.astimezone with zoneinfo of these places.
TEST_CASE("a clock in New York or in Kolkata shows its own time, in summer and in winter") {
  struct row {
    timestamp t;
    const char* in_new_york;
    const char* in_kolkata;
  };
  for (auto& r : {
           row{utc(2, 1, 14, 3, 7), "2026-02-01 09:03:07", "2026-02-01 19:33:07"},
           row{utc(3, 8, 6, 59, 59), "2026-03-08 01:59:59", "2026-03-08 12:29:59"},
           row{utc(3, 8, 7, 0), "2026-03-08 03:00:00", "2026-03-08 12:30:00"},
           row{utc(7, 14, 18, 45), "2026-07-14 14:45:00", "2026-07-15 00:15:00"},
           row{utc(11, 1, 5, 30), "2026-11-01 01:30:00", "2026-11-01 11:00:00"},
           row{utc(11, 1, 6, 30), "2026-11-01 01:30:00", "2026-11-01 12:00:00"},
       }) {
    CHECK(to_text(r.t, {new_york}) == r.in_new_york);
    CHECK(to_text(r.t, {kolkata}) == r.in_kolkata);
  }
  CHECK(to_text(utc(2, 1, 14, 3, 7) + 999ms, {}) == "2026-02-01 14:03:07Z");
}

// Expected: as above; 02:30 on 8 March does not exist, 01:30 on 1 November comes twice (fold=0).
TEST_CASE("a moment without a zone is what the clock on the wall shows") {
  struct row {
    const char* text;
    timestamp in_new_york, in_kolkata;
  };
  for (auto& r : {
           row{"2026-03-08", utc(3, 8, 5, 0), utc(3, 7, 18, 30)},
           row{"2026-03-08T02:30", utc(3, 8, 7, 30), utc(3, 7, 21, 0)},
           row{"2026-03-08 03:00", utc(3, 8, 7, 0), utc(3, 7, 21, 30)},
           row{"2026-11-01T00:59", utc(11, 1, 4, 59), utc(10, 31, 19, 29)},
           row{"2026-11-01T01:30:00", utc(11, 1, 5, 30), utc(10, 31, 20, 0)},
           row{"2026-11-01T02:00", utc(11, 1, 7, 0), utc(10, 31, 20, 30)},
           row{"2026-11-02", utc(11, 2, 5, 0), utc(11, 1, 18, 30)},
       }) {
    INFO(r.text);
    CHECK(parse_moment(r.text, {new_york}) == r.in_new_york);
    CHECK(parse_moment(r.text, {kolkata}) == r.in_kolkata);
  }
}

TEST_CASE("a moment with a zone is what it says, wherever the clock hangs") {
  for (wall_clock clock : {wall_clock{}, wall_clock{new_york}, wall_clock{kolkata}}) {
    for (auto text : {"2026-02-01T14:03Z", "2026-02-01T14:03:00.000Z", "2026-02-01T15:03+01:00",
                      "2026-02-01 15:03:00+0100", "2026-02-01T15:03+01", "2026-02-01T08:33-05:30"})
      CHECK(parse_moment(text, clock) == utc(2, 1, 14, 3));
    CHECK(parse_moment("2026-02-01T14:03:07.12Z", clock) == utc(2, 1, 14, 3, 7) + 120ms);
    // What a list shows can be typed.
    for (auto t : {utc(2, 1, 14, 3, 7), utc(7, 14, 18, 45)})
      CHECK(parse_moment(to_text(t, clock), clock) == t);
    for (auto wrong :
         {"", "2026", "2026-13-01", "2026-02-30", "2026-02-01T", "2026-02-01T24:00",
          "2026-02-01T14", "2026-02-01T14:60", "2026-02-01T14:03+", "2026-02-01T14:03x",
          "2026-02-01T14:03Zx", "2026-02-01T14:03+1", "2026-02-01T14:03+24:00",
          "2026-02-01T14:03+01:60", "2026-02-01Z", "2026-02-01T14:03:07."}) {
      INFO(wrong);
      CHECK_FALSE(parse_moment(wrong, clock));
    }
  }
}

// By hand. A day is 25 hours long where clocks are put back in it, 23 where they are put forward.
TEST_CASE("what ends with a day, a minute or a second ends with all of it") {
  struct row {
    std::string_view text;
    timestamp last;
    wall_clock clock{};
  };
  for (auto& r : {row{"2026-02-01", utc(2, 1, 23, 59, 59) + 999ms},
                  row{"2026-02-01T12:00", utc(2, 1, 12, 0, 59) + 999ms},
                  row{"2026-02-01T12:00:05", utc(2, 1, 12, 0, 5) + 999ms},
                  row{"2026-02-01 12:00:05Z", utc(2, 1, 12, 0, 5) + 999ms},
                  row{"2026-02-01T12:00:05.1", utc(2, 1, 12, 0, 5) + 199ms},
                  row{"2026-02-01T12:00:05.12", utc(2, 1, 12, 0, 5) + 129ms},
                  row{"2026-02-01T12:00:05.123", utc(2, 1, 12, 0, 5) + 123ms},
                  row{"2026-02-01T12:00:05.1234", utc(2, 1, 12, 0, 5) + 123ms},
                  row{"2026-02-01T12:00+01:00", utc(2, 1, 11, 0, 59) + 999ms},
                  row{"2026-11-01", utc(11, 2, 4, 59, 59) + 999ms, {new_york}},
                  row{"2026-03-08", utc(3, 9, 3, 59, 59) + 999ms, {new_york}}}) {
    INFO(r.text);
    CHECK(parse_end_of_moment(r.text, r.clock) == r.last);
  }
  for (auto wrong : {"", "2026-02-30", "2026-02-01T24:00", "2026-02-01T14:03+", "2026-02-01Z"})
    CHECK_FALSE(parse_end_of_moment(wrong, {}));
}

TEST_CASE("commands show and take times by the clock of whoever entered them") {
  session_by_hand s;
  s.clock = utc(11, 1, 5, 29, 59);
  s.type("(part :violin (measure (note c5 :w)))");  // 05:30:00Z, 01:30:00 in New York
  auto run = [&](std::string_view text, wall_clock clock) {
    auto outcome = run_command(text, s.state, {}, s.clock + 24h, {clock});
    return outcome.listing && outcome.listing->size() > 0 ? to_text(*outcome.listing->at(0))
                                                          : outcome.output;
  };
  CHECK(run("blame 1", {new_york}).find("2026-11-01 01:30:00") != std::string::npos);
  CHECK(run("blame 1", {kolkata}).find("2026-11-01 11:00:00") != std::string::npos);
  CHECK(run("blame 1", {}).find("2026-11-01 05:30:00Z") != std::string::npos);
  for (auto line : {"history --since 2026-11-01T01:29 --until 2026-11-01T01:31",
                    "history --since 2026-11-01T05:29Z --until 2026-11-01T06:31+01:00"})
    CHECK(run(line, {new_york}).find("In[1]") == 0);
  CHECK(run("history --since 2026-11-01T05:29", {new_york}) == "no matching entries");
  CHECK(run("history --since 2026-11-01T11:00:01", {kolkata}) == "no matching entries");
  CHECK(run("history --since 2026-11-01T11:00", {kolkata}).find("In[1]") == 0);
}

}  // namespace fermata::wall_clock_test
