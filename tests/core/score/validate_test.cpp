#include "core/score/analysis/validate.hpp"

#include "tests/core/score/notation.hpp"

#include <catch2/catch.hpp>

#include <set>

namespace fermata::validate_test {

using namespace fermata::testing;

namespace {

std::vector<std::string> messages(const score& s) {
  std::vector<std::string> found;
  for (auto& f : validate(s))
    found.push_back(std::string{to_string(f.level())} + ": " + f.message);
  return found;
}

using texts = std::vector<std::string>;

score_ptr for_instrument(std::string name, const char* music, transposition t = {}) {
  auto m = bar(music);
  auto a = with_time(4, 4);
  if (t != transposition{}) a.transpositions.push_back({std::nullopt, t, {}});
  lead(m, a);
  auto p = *make_part({m});
  part_instrument i;
  i.id = "P1-I1";
  i.name = std::move(name);
  p.instruments.push_back(i);
  return make_score({std::make_shared<const part>(p)});
}

}  // namespace

TEST_CASE("a sound score has no findings") {
  CHECK(messages(*one_part({"c4:q d4:q e4:h", "f4:w"})).empty());
  CHECK(messages(*empty_score()).empty());
}

TEST_CASE("too much or too little in a measure is named with the metre and the note") {
  CHECK(messages(*one_part({"c4:w", "d4:w", "e4:h f4:q g4:q.", "a4:w"})) ==
        texts{"error: measure 3: an eighth too long for 4/4 after g4"});
  CHECK(messages(*one_part({"c4:w", "d4:h", "a4:w"})) ==
        texts{"warning: measure 2: a half short of 4/4 after d4"});
  auto m = bar("c4:w", "2");
  add_voice(m, "e3:w f3:8", "2");
  CHECK(messages(*make_score({make_part({bar("c4:w"), m})})) ==
        texts{"error: measure 2: an eighth too long for 4/4 after e3 in voice 2"});
}

TEST_CASE("in a score of several parts the part is named") {
  auto s = make_score({make_part({bar("c4:w"), bar("d4:w", "2")}, "P1", "Violin"),
                       make_part({bar("c3:w"), bar("d3:w e3:q", "2")}, "P2", "Cello")});
  CHECK(messages(*s) == texts{"error: Cello, measure 2: a quarter too long for 4/4 after d3"});
}

TEST_CASE("pickups and divided measures are complete") {
  // Kainhofer suite 46d: 3/2 + 2 quarters of measure 1, 2 of the uncounted X1, end of the piece.
  auto pickup = bar("e4:q. ", "0"), one = bar("f4:q g4:q", "1"),
       rest_of_one = bar("a4:q b4:q", "X1"), last = bar("c5:q d5:q r:8", "2");
  pickup.implicit = rest_of_one.implicit = true;
  lead(pickup, with_time(4, 4));
  CHECK(messages(*make_score({make_part({pickup, one, rest_of_one, last})})).empty());
  // 45h: a repeat that ends three quarters into its last measure, after a pickup of one.
  auto quarter = bar("c5:q", "0"), whole = bar("c5:w", "1"), three = bar("c5:h.", "2");
  quarter.implicit = true;
  barline back;
  back.repeat = "backward";
  three.items.push_back({measure_position{3}, back});
  CHECK(messages(*make_score({make_part({quarter, whole, three, bar("c5:w", "3")})})).empty());
}

TEST_CASE("a section that begins with a pickup of its own divides a measure") {
  // As in the string quartets of Saint-Georges: three quarters and a repeat, one quarter of pickup.
  auto three = bar("c5:h.", "2"), one = bar("c5:q", "3");
  barline back, forward;
  back.repeat = "backward";
  forward.repeat = "forward";
  forward.location = "left";
  three.items.push_back({measure_position{3}, back});
  lead(one, forward);
  CHECK(messages(*make_score({make_part({bar("c5:w"), three, one, bar("c5:w", "4")})})).empty());
}

TEST_CASE("a whole-measure rest is never too long") {
  auto m = bar("r:w.", "2");
  std::get<rest>(std::get<chord_rest>(m.items[0].content).notes[0].tone).whole_measure = true;
  CHECK(messages(*make_score({make_part({bar("c5:w"), m})})).empty());
}

TEST_CASE("a measure that is short in every part is told once, and common time is called 4/4") {
  auto first = bar("c5:w");
  auto a = with_time(4, 4);
  a.times[0].value.symbol = "common";
  lead(first, a);
  CHECK(messages(
            *make_score({make_part({first, bar("c5:h", "2"), bar("c5:w", "3")}, "P1", "Flute"),
                         make_part({first, bar("c4:h", "2"), bar("c5:w", "3")}, "P2", "Oboe")})) ==
        texts{"warning: Flute, measure 2: a half short of 4/4 after c5"});
}

TEST_CASE("a voice that does not fill its measure is no fault when another does") {
  auto m = bar("c5:w", "2");
  add_voice(m, "c4:q", "2", 1, measure_position{1});
  CHECK(messages(*make_score({make_part({bar("c4:w"), m})})).empty());
}

TEST_CASE("notes of one voice that overlap are found") {
  auto m = bar("c4:h d4:h");
  m.items[1].at = measure_position{1};
  CHECK(messages(*make_score({make_part({m, bar("e4:w", "2")})})) ==
        texts{"error: measure 1: d4 begins a quarter before the previous note ends"});
}

TEST_CASE("ties and slurs with one end are found where they are") {
  CHECK(messages(*one_part({"c4:w~", "d4:w"})) ==
        texts{"warning: measure 1: the tie from c4 leads nowhere"});
  auto m = bar("c4:w");
  std::get<chord_rest>(m.items[0].content).notes[0].tie.stop = true;
  CHECK(messages(*make_score({make_part({m})})) ==
        texts{"warning: measure 1: the tie into c4 comes from nowhere"});
  CHECK(messages(*one_part({"c4:w(", "d4:w"})) ==
        texts{"warning: measure 1: a slur begins on c4 and has no end"});
  CHECK(messages(*one_part({"c4:w", "d4:w)"})) ==
        texts{"warning: measure 2: a slur ends on d4 and has no start"});
}

TEST_CASE("a tie that is let ring needs no second note") {
  auto m = bar("c4:w~");
  std::get<chord_rest>(m.items[0].content)
      .notes[0]
      .spanners.push_back({spanner_kind::tied, span_end::let_ring, 1, "", {}});
  CHECK(messages(*make_score({make_part({m})})).empty());
}

TEST_CASE("hairpins and tuplet brackets that stay open are found") {
  auto m = bar("c4:w");
  direction d;
  d.types.push_back(wedge{"crescendo", 1, {}});
  lead(m, d);
  auto n = bar("c4:w", "2");
  std::get<chord_rest>(n.items[0].content)
      .notes[0]
      .spanners.push_back({spanner_kind::tuplet, span_end::start, 1, "", {}});
  auto found = validate(*make_score({make_part({m, n})}));
  REQUIRE(found.size() == 2);
  CHECK(found[0].message == "measure 1: a hairpin begins and has no end");
  CHECK(found[0].kind == finding_kind::unclosed_line);
  CHECK(found[1].message == "measure 2: a tuplet bracket begins on c4 and has no end");
  CHECK(found[1].kind == finding_kind::unclosed_tuplet);
}

TEST_CASE("a note for an instrument that the part does not have is an error") {
  auto s = for_instrument("Violin", "a4:w");
  auto p = *s->parts[0];
  auto m = *p.measures[0];
  std::get<chord_rest>(m.items[1].content).notes[0].instrument = "P1-I9";
  p.measures.set(0, std::make_shared<const measure>(m));
  CHECK(messages(*make_score({std::make_shared<const part>(p)})) ==
        texts{"error: measure 1: a4 uses an instrument \"P1-I9\" that Music does not have"});
}

TEST_CASE("notes beyond an instrument's range are found by how they sound") {
  // The lowest string of the violin is g3.
  CHECK(messages(*for_instrument("Violin", "g3:w")).empty());
  auto low = messages(*for_instrument("Violin", "f3:h e3:h"));
  REQUIRE(low.size() == 1);
  CHECK(low[0].find("warning: measure 1: f3 is below the range of the violin, written g3 to ") ==
        0);
  // A part for clarinet in B flat written at concert pitch: d3 sounds, written e3, is its lowest.
  CHECK(messages(*for_instrument("Clarinet in Bb", "d3:w")).empty());
  transposition b_flat;
  b_flat.diatonic = -1;
  b_flat.chromatic = "-2";
  CHECK(messages(*for_instrument("Clarinet in Bb", "e3:w", b_flat)).empty());
  CHECK(messages(*for_instrument("Clarinet in Bb", "d3:w", b_flat)).size() == 1);
}

TEST_CASE("parts that share an id, differ in length or are not in the list are found") {
  auto s = make_score({make_part({bar("c4:w")}, "P1", "Flute"),
                       make_part({bar("c4:w"), bar("d4:w", "2")}, "P1", "Oboe")});
  CHECK(messages(*s) == texts{"error: Flute and Oboe have the same id P1",
                              "warning: Oboe has 2 measures, Flute 1"});
  score t = *one_part({"c4:w"});
  t.part_list = {part_group{"1", "start", "", "", "brace", "", {}}};
  CHECK(messages(t) ==
        texts{"error: the part list names Music nowhere", "error: part group 1 does not end"});
}

TEST_CASE("every kind of finding has a name of its own and a sentence") {
  std::set<std::string_view> names;
  for (auto& row : finding_table()) {
    CHECK(names.insert(row.name).second);
    CHECK(info(row.kind).name == row.name);
    CHECK(row.summary.back() == '.');
  }
}

}  // namespace fermata::validate_test
