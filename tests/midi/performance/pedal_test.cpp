#include "midi/performance/pedal.hpp"

#include "tests/midi/performance/heard.hpp"

#include <catch2/catch.hpp>

namespace fermata::midi::pedal_test {

using namespace testing;

namespace {

direction pedal_mark(const std::string& type) {
  pedal p;
  p.type = type;
  return showing(p);
}

std::string pedals(const score& s, int number = controllers::damper_pedal) {
  return events_of<controller>(render_or_throw(s, exact()), [&](auto& c, auto&) {
    return c.number == number ? std::to_string(c.value) : std::string{};
  });
}

}  // namespace

TEST_CASE("the pedal goes down, is changed, and goes up") {
  auto m = bar("c4:q d4:q e4:q f4:q");
  put(m, 0, pedal_mark("start"));
  put(m, 2, pedal_mark("change"));
  put(m, 4, pedal_mark("stop"));
  CHECK(pedals(*one_measure(m)) == "0:127 2:0 2:127 4:0");
}

TEST_CASE("a pedal that nobody lifts is lifted at the end") {
  auto m = bar("c4:w");
  put(m, 1, pedal_mark("start"));
  CHECK(pedals(*one_measure(m)) == "1:127 4:0");
}

TEST_CASE("the sostenuto pedal is another one") {
  auto m = bar("c4:w");
  put(m, 0, pedal_mark("sostenuto"));
  put(m, 2, pedal_mark("stop"));
  CHECK(pedals(*one_measure(m)) == "");
  CHECK(pedals(*one_measure(m), controllers::sostenuto_pedal) == "0:127 2:0");
}

TEST_CASE("the file may say how far a pedal is down") {
  auto m = bar("c4:w");
  put(m, 0, sound_saying("damper-pedal", "50"));  // 63.5 of 127
  put(m, 2, sound_saying("damper-pedal", "no"));
  put(m, 1, sound_saying("soft-pedal", "yes"));
  CHECK(pedals(*one_measure(m)) == "0:64 2:0");
  CHECK(pedals(*one_measure(m), controllers::soft_pedal) == "1:127 4:0");
}

TEST_CASE("going back in a repeat, the pedal is as it was there") {
  auto first = bar("c4:w"), second = bar("d4:w", "2");
  put(second, 0, pedal_mark("start"));
  barline b;
  b.repeat = "backward";
  put(second, 4, b);
  auto third = bar("e4:w", "3");
  put(third, 0, pedal_mark("stop"));
  // 1 2 1 2 3: up at 8, where measure 1 begins again.
  CHECK(pedals(*make_score({make_part({first, second, third})})) == "4:127 8:0 12:127 16:0");
}

TEST_CASE("a pedal event says where it stands") {
  auto m = bar("c4:w");
  put(m, 1, pedal_mark("start"));
  auto p = render_or_throw(*one_measure(m), exact());
  int found = 0;
  for (auto& e : p.events)
    if (auto* c = std::get_if<controller>(&e.what); c && c->number == 64 && c->value == 127) {
      ++found;
      CHECK(e.source.position == measure_position{1});
    }
  CHECK(found == 1);
}

}  // namespace fermata::midi::pedal_test
