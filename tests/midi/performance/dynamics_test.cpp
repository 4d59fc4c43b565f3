#include "midi/performance/dynamic_levels.hpp"
#include "midi/performance/dynamics_plan.hpp"
#include "tests/midi/performance/heard.hpp"

#include <catch2/catch.hpp>

namespace fermata::midi::dynamics_test {

using namespace testing;

TEST_CASE("a score without dynamics is played at MusicXML's default") {
  CHECK(loud(*one_part({"c4:w"})) == "90");
}

TEST_CASE("dynamics have the velocities that the makers of MusicXML give them") {
  struct row {
    const char* name;
    const char* velocity;
  };
  // the table of dynamic_levels.hpp, 13 apart.
  const row rows[] = {{"pppp", "10"},    {"ppp", "23"},   {"pp", "36"}, {"p", "49"},
                      {"mp", "62"},      {"mf", "75"},    {"f", "88"},  {"ff", "101"},
                      {"fff", "114"},    {"ffff", "127"}, {"n", "1"},   {"pf", "49"},
                      {"ffffff", "127"}, {"my own", "90"}};
  for (auto& r : rows) {
    auto m = bar("c4:w");
    CHECK(loud(*one_measure(lead(m, dynamic(r.name)))) == r.velocity);
  }
}

TEST_CASE("the loudness that the file says counts more than the mark") {
  // Percent of 90. The examples of the MusicXML specification have p 54, pp 40 and ff 112: 48.6,
  // 36 and 100.8.
  struct row {
    const char* percent;
    const char* velocity;
  };
  for (auto& r : {row{"54", "49"}, row{"40", "36"}, row{"112", "101"}, row{"0", "1"}}) {
    auto m = bar("c4:w");
    auto d = dynamic("mf");
    d.sound = sound_saying("dynamics", r.percent);
    CHECK(loud(*one_measure(lead(m, d))) == r.velocity);
  }
  auto alone = bar("c4:w");
  CHECK(loud(*one_measure(lead(alone, sound_saying("dynamics", "54")))) == "49");
  auto note = bar("c4:h d4:h");
  chord_in(note, 1).notes[0].extra = with_attributes({{"dynamics", "100"}});
  CHECK(loud(*one_measure(lead(note, dynamic("p")))) == "49 90");
}

TEST_CASE("a crescendo goes evenly to the dynamic at its end") {
  // From 49 to 88 in four steps of 9.75: 58.75, 68.5, 78.25.
  auto m = bar("c4:q c4:q c4:q c4:q");
  put(m, 0, dynamic("p"));
  put(m, 0, hairpin("crescendo"));
  auto next = bar("c4:q r:q r:h", "2");
  put(next, 0, hairpin("stop"));
  put(next, 0, dynamic("f"));
  CHECK(loud(*make_score({make_part({m, next})})) == "49 59 69 78 88");
}

TEST_CASE("a hairpin that leads to no dynamic goes one level on") {
  auto m = bar("c4:q c4:q c4:q c4:q");
  put(m, 0, dynamic("p"));
  put(m, 0, hairpin("crescendo"));
  put(m, 2, hairpin("stop"));
  // p 49 to mp 62; 55.5 in the middle.
  CHECK(loud(*one_measure(m)) == "49 56 62 62");
}

TEST_CASE("a sudden piano does not turn the crescendo before it round") {
  auto m = bar("c4:q c4:q c4:q c4:q");
  put(m, 0, dynamic("f"));
  put(m, 0, hairpin("crescendo"));
  put(m, 2, hairpin("stop"));
  put(m, 2, dynamic("p"));
  // f 88 towards ff 101: 94.5 in the middle.
  CHECK(loud(*one_measure(m)) == "88 95 49 49");
}

TEST_CASE("a hairpin to nothing ends in silence") {
  auto m = bar("c4:q c4:q c4:q c4:q");
  put(m, 0, dynamic("p"));
  auto d = hairpin("diminuendo");
  std::get<wedge>(d.types[0]).extra = with_attributes({{"niente", "yes"}});
  put(m, 0, d);
  put(m, 4, hairpin("stop"));
  CHECK(loud(*one_measure(m)) == "49 37 25 13");
}

TEST_CASE("crescendo in words goes to the next dynamic") {
  auto m = bar("c4:q c4:q c4:q c4:q");
  put(m, 0, dynamic("p"));
  put(m, 1, text("poco a poco cresc."));
  put(m, 3, dynamic("mf"));
  // 49 to 75 from the second beat to the fourth.
  CHECK(loud(*one_measure(m)) == "49 49 62 75");
  auto leads_nowhere = bar("c4:q c4:q r:h");
  put(leads_nowhere, 0, text("dim."));
  CHECK(loud(*one_measure(leads_nowhere)) == "90 90");
}

TEST_CASE("a sforzando is for its notes only") {
  auto m = bar("c4:q c4:q c4:q c4:q");
  put(m, 0, dynamic("p"));
  put(m, 1, dynamic("sfz"));
  put(m, 2, dynamic("fp"));
  CHECK(loud(*one_measure(m)) == "49 101 88 49");
  auto loud_already = bar("c4:q c4:q r:h");
  put(loud_already, 0, dynamic("fff"));
  put(loud_already, 1, dynamic("sfz"));
  CHECK(loud(*one_measure(loud_already)) == "114 127");
}

TEST_CASE("sf with a dynamic behind it says both") {
  auto found = level_of("sf mp", 90);
  REQUIRE(found);
  CHECK(found->attack == 103);  // 13 above what was in force
  CHECK(found->level == 62.0);
}

TEST_CASE("a dynamic between the staves of a piano is for both, two dynamics are for each") {
  auto m = bar("c5:h c5:h");
  add_voice(m, "c3:h c3:h", "2", 2);
  auto upper = dynamic("p");
  upper.staff = 1;
  put(m, 0, upper);
  CHECK(loud(*one_measure(m)) == "49 49 49 49");
  auto lower = dynamic("f");
  lower.staff = 2;
  put(m, 0, lower);
  // By key: the lower note of each beat first.
  CHECK(loud(*one_measure(m)) == "88 49 88 49");
}

TEST_CASE("a dynamic that is attached to a note counts") {
  auto m = bar("c4:h d4:h");
  mark_note(m, 1, mark_kind::dynamics_notation, "ff");
  CHECK(loud(*one_measure(m)) == "90 101");
}

TEST_CASE("a repeat begins as loud as the first time") {
  auto first = bar("c4:w"), second = bar("d4:w", "2");
  lead(first, dynamic("p"));
  lead(second, dynamic("f"));
  barline b;
  b.repeat = "backward";
  put(second, 4, b);
  CHECK(loud(*make_score({make_part({first, second})})) == "49 88 49 88");
}

}  // namespace fermata::midi::dynamics_test
