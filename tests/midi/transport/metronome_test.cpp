#include "midi/transport/metronome.hpp"

#include "tests/midi/transport/player.hpp"

#include <catch2/catch.hpp>

namespace fermata::midi::metronome_test {

using namespace testing;
using namespace std::chrono_literals;

namespace {

/// The clicks and notes of a score after a count-in.
std::string counted_in(const score& s, int clicks, double tempo = 1) {
  player p;
  playback_options o;
  o.count_in = clicks;
  o.tempo = tempo;
  p.play(plan_of(s), o);
  p.run_to(20s);
  CHECK(p.out.heard() == 0);
  return p.out.notes();
}

std::string clicks(const score& s) {
  player p;
  playback_options o;
  o.metronome = true;
  p.play(plan_of(s), o);
  p.run_to(20s);
  CHECK(p.out.heard() == 0);
  return p.out.notes();
}

score_ptr with_pickup(const char* notes) {
  auto first = bar(notes, "0");
  first.implicit = true;
  lead(first, with_time(4, 4));
  return make_score({make_part({first, bar("r:w", "1")})});
}

}  // namespace

TEST_CASE("the count-in is in the tempo of the first beats") {
  CHECK(counted_in(*four_notes(), 4, 2) ==
        "0:76 250:77 500:77 750:77 1000:60 1250:62 1500:64 1750:65");
}

TEST_CASE("the count-in accents each first beat") {
  CHECK(counted_in(*one_part({"c4:h."}, 3, 4), 6) ==
        "0:76 500:77 1000:77 1500:76 2000:77 2500:77 3000:60");
  CHECK(counted_in(*one_part({"c4:h."}, 6, 8), 4) == "0:76 750:77 1500:76 2250:77 3000:60");
  CHECK(counted_in(*one_part({"c4:w"}), 2) == "0:77 500:77 1000:60");
}

TEST_CASE("a pickup comes in on its beat, or between two") {
  CHECK(counted_in(*with_pickup("c4:q"), 7) ==
        "0:76 500:77 1000:77 1500:77 2000:76 2500:77 3000:77 3500:60");
  CHECK(counted_in(*with_pickup("c4:e"), 4) == "0:76 500:77 1000:77 1500:77 1750:60");
}

TEST_CASE("each click of the count-in has its beat") {
  auto beats = [](const score& s, int clicks) {
    player p;
    playback_options o;
    o.count_in = clicks;
    p.play(plan_of(s), o);
    std::string text = std::to_string(p.engine.position(p.at()).beat) + ":";
    for (int i = 0; i < clicks; ++i) {
      p.run_to(500ms * i + 10ms);
      text += ' ' + std::to_string(p.engine.position(p.at()).beat);
    }
    return text;
  };
  CHECK(beats(*four_notes(), 4) == "1: 1 2 3 4");
  CHECK(beats(*one_part({"c4:h."}, 3, 4), 5) == "2: 2 3 1 2 3");
  CHECK(beats(*with_pickup("c4:q"), 7) == "1: 1 2 3 4 1 2 3");
}

TEST_CASE("what is left of the count-in follows a change of tempo") {
  player p;
  playback_options o;
  o.count_in = 4;
  p.play(plan_of(*four_notes()), o);
  p.run_to(750ms);
  CHECK(p.engine.position(p.at()).state == transport_position::state_t::counting_in);
  p.engine.set_tempo(2, p.at());
  p.run_to(20s);
  // 250 ms to the third click, and 500 ms from click to click, are half as long.
  CHECK(p.out.notes() == "0:76 500:77 875:77 1125:77 1375:60 1625:62 1875:64 2125:65");
}

TEST_CASE("the metronome clicks at each beat, with an accent on the first") {
  CHECK(clicks(*one_part({"r:w"})) == "0:76 500:77 1000:77 1500:77");
  CHECK(clicks(*one_part({"r:h."}, 6, 8)) == "0:76 750:77");
  CHECK(clicks(*with_pickup("r:q")) == "0:77 500:76 1000:77 1500:77 2000:77");
}

TEST_CASE("the metronome can be switched while it plays") {
  player p;
  p.play(plan_of(*one_part({"r:w"})));
  p.run_to(600ms);
  p.engine.set_metronome(true, p.at());
  p.run_to(1'010ms);
  CHECK(p.out.heard() == 1);
  p.engine.set_metronome(false, p.at());
  CHECK(p.out.heard() == 0);
  p.run_to(20s);
  CHECK(p.out.notes() == "1000:77");
}

}  // namespace fermata::midi::metronome_test
