#include "midi/performance/arpeggio.hpp"

#include "tests/midi/performance/heard.hpp"

#include <catch2/catch.hpp>

namespace fermata::midi::arpeggio_test {

using namespace testing;

namespace {

measure chord_with(mark_kind kind, const std::string& direction = "", bool on_all = true) {
  auto m = bar("<c4_e4_g4>:h r:h");
  for (auto& n : chord_in(m, 0).notes) {
    n.marks.push_back({mark_kind::tenuto, "", {}});
    if (on_all || &n == &chord_in(m, 0).notes.front()) n.marks.push_back({kind, direction, {}});
  }
  return m;
}

}  // namespace

TEST_CASE("a chord is broken from below, each note a 64th later, and all end together") {
  // MusicXML, "arpeggiate": from the lowest to the highest note by default.
  const auto* up = "0+2:60 1/16+31/16:64 1/8+15/8:67";
  CHECK(heard(*one_measure(chord_with(mark_kind::arpeggiate))) == up);
  CHECK(heard(*one_measure(chord_with(mark_kind::arpeggiate, "up"))) == up);
  CHECK(heard(*one_measure(chord_with(mark_kind::arpeggiate, "", false))) == up);
}

TEST_CASE("an arrow down breaks it from above") {
  CHECK(heard(*one_measure(chord_with(mark_kind::arpeggiate, "down"))) ==
        "0+2:67 1/16+31/16:64 1/8+15/8:60");
}

TEST_CASE("a bracket keeps the chord together, and so do machines") {
  const auto* together = "0+2:60 0+2:64 0+2:67";
  CHECK(heard(*one_measure(chord_with(mark_kind::non_arpeggiate, "top"))) == together);
  CHECK(heard(*one_measure(chord_with(mark_kind::arpeggiate)), exact()) == together);
}

TEST_CASE("a short chord is broken within half of its length") {
  // A 32nd (1/8): three notes within 1/16, each 1/48 later.
  auto m = bar("<c4_e4_g4>:32 r:32 r:16 r:8 r:q r:h");
  for (auto& n : chord_in(m, 0).notes) {
    n.marks.push_back({mark_kind::arpeggiate, "", {}});
    n.marks.push_back({mark_kind::tenuto, "", {}});
  }
  CHECK(heard(*one_measure(m)) == "0+1/8:60 1/48+5/48:64 1/24+1/12:67");
}

TEST_CASE("an arpeggio over both staves goes through them, unless numbers part them") {
  auto both = [](const char* upper_number) {
    auto m = bar("<c5_e5>:w");
    add_voice(m, "<c3_g3>:w", "2", 2);
    for (auto item : {0u, 1u})
      for (auto& n : chord_in(m, item).notes) {
        n.marks.push_back({mark_kind::tenuto, "", {}});
        n.marks.push_back({mark_kind::arpeggiate, "",
                           with_attributes({{"number", item == 0 ? upper_number : "1"}})});
      }
    return heard(*one_measure(m));
  };
  CHECK(both("1") == "0+4:48 1/16+63/16:55 1/8+31/8:72 3/16+61/16:76");
  CHECK(both("2") == "0+4:48 0+4:72 1/16+63/16:55 1/16+63/16:76");
}

}  // namespace fermata::midi::arpeggio_test
