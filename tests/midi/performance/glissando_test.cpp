#include "midi/performance/glissando.hpp"

#include "tests/midi/performance/heard.hpp"

#include <catch2/catch.hpp>

namespace fermata::midi::glissando_test {

using namespace testing;

namespace {

measure gliding(const char* notes, spanner_kind kind) {
  auto m = bar(notes);
  chord_in(m, 0).notes[0].spanners.push_back({kind, span_end::start, 1, "", {}});
  chord_in(m, 1).notes[0].spanners.push_back({kind, span_end::stop, 1, "", {}});
  for (auto item : {0u, 1u})
    mark_note(m, item, mark_kind::tenuto);
  return m;
}

std::string bends(const score& s) {
  return events_of<pitch_bend>(render_or_throw(s, performed()),
                               [](auto& b, auto&) { return std::to_string(b.value); });
}

}  // namespace

TEST_CASE("a glissando sounds the notes between, evenly") {
  CHECK(heard(*one_measure(gliding("c4:q e4:q r:h", spanner_kind::glissando))) ==
        "0+1/4:60 1/4+1/4:61 1/2+1/4:62 3/4+1/4:63 1+1:64");
  CHECK(heard(*one_measure(gliding("e4:h d4:h", spanner_kind::glissando))) ==
        "0+1:64 1+1:63 2+2:62");
  CHECK(heard(*one_measure(gliding("e4:h f4:h", spanner_kind::glissando))) == "0+2:64 2+2:65");
  CHECK(heard(*one_measure(gliding("c4:q e4:q r:h", spanner_kind::glissando)), exact()) ==
        "0+1:60 1+1:64");
}

TEST_CASE("a slide bends its first note from a quarter of its length to three quarters") {
  // Two semitones up over a quarter note, 8 steps of 25 cents from 1/4 to 3/4; the bend range is
  // 24 semitones, so a step is 8192 * 0.25 / 24 = 85.33.
  auto s = one_measure(gliding("c4:q d4:q r:h", spanner_kind::slide));
  CHECK(heard(*s) == "0+1:60 1+1:62");
  CHECK(bends(*s) == "0:0 5/16:85 3/8:171 7/16:256 1/2:341 9/16:427 5/8:512 11/16:597 3/4:683");
  auto p = render_or_throw(*s, performed());
  auto notes = notes_of(p);
  CHECK(notes[0].channel != notes[1].channel);
  // Registered parameter 0 sets the range, and is closed again.
  CHECK(events_of<controller>(p, [](auto& c, auto&) {
          return c.channel == 1 ? std::to_string(c.number) + "=" + std::to_string(c.value) : "";
        }) == "0:101=0 0:100=0 0:6=24 0:38=0 0:101=127 0:100=127");
}

TEST_CASE("a slide beyond the range of bends is played as a glissando") {
  auto p = render_or_throw(*one_measure(gliding("c2:h c5:h", spanner_kind::slide)), performed());
  CHECK(notes_of(p).size() == 37);
}

}  // namespace fermata::midi::glissando_test
