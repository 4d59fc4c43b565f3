#include "core/score/model/spanners.hpp"

#include "core/score/model/ties.hpp"
#include "tests/core/score/notation.hpp"

#include <catch2/catch.hpp>

namespace fermata::lines_test {

using namespace fermata::testing;

namespace {

std::string joined(const part& p) {
  auto lines = pair_spanners(spanner_ends(p, 0, p.measures.size()));
  std::string text;
  for (auto& [a, b] : lines.pairs)
    text += std::string{name_of(a.kind)} + " " + std::to_string(a.measure) + "." +
            to_string(a.at.value) + "-" + std::to_string(b.measure) + "." + to_string(b.at.value) +
            ";";
  for (auto& e : lines.unpaired)
    text += std::string{"unpaired "} + (e.start ? "start" : "stop") + " " +
            std::to_string(e.measure) + "." + to_string(e.at.value) + ";";
  return text;
}

void slur(measure& m, std::size_t item, span_end end) {
  std::get<chord_rest>(m.items[item].content)
      .notes[0]
      .spanners.push_back({spanner_kind::slur, end, 1, "", {}});
}

}  // namespace

TEST_CASE("a slur runs from its start to its stop, over barlines too") {
  CHECK(joined(*make_part({bar("c4:q( d4:q) e4:h("), bar("f4:w)", "2")})) ==
        "slur 0.0-0.1;slur 0.2-1.0;");
}

TEST_CASE("slurs in two voices do not end each other") {
  auto m = bar("c5:h( d5:h)");
  add_voice(m, "c4:q( d4:q) e4:h", "2");
  CHECK(joined(*make_part({m})) == "slur 0.0-0.2;slur 0.0-0.1;");
}

TEST_CASE("a slur from one voice into another is whole") {
  auto m = bar("c5:h( d5:h)");
  std::get<chord_rest>(m.items[1].content).voice = "2";
  CHECK(joined(*make_part({m})) == "slur 0.0-0.2;");
}

TEST_CASE("on one note the old slur ends before the new one starts, in any order of the file") {
  auto m = bar("c4:q( d4:q e4:q) f4:q");
  slur(m, 1, span_end::start);
  slur(m, 1, span_end::stop);
  CHECK(joined(*make_part({m})) == "slur 0.0-0.1;slur 0.1-0.2;");
}

TEST_CASE("a line that begins and ends on one note is whole") {
  auto m = bar("c4:w");
  slur(m, 0, span_end::start);
  slur(m, 0, span_end::stop);
  CHECK(joined(*make_part({m})) == "slur 0.0-0.0;");
}

TEST_CASE("ends without a partner are unpaired") {
  CHECK(joined(*make_part({bar("c4:h( d4:h("), bar("e4:w", "2")})) ==
        "unpaired start 0.0;unpaired start 0.2;");
  CHECK(joined(*make_part({bar("c4:w)")})) == "unpaired stop 0.0;");
}

TEST_CASE("a tie joins equal heights at one point in time, over the barline too") {
  auto first = bar("c4:h <c4_e4>:h~", "1"), second = bar("<e4_g4>:h c4:h", "2");
  std::get<chord_rest>(second.items[0].content).notes[0].tie.stop = true;
  auto p = make_part({first, second});
  CHECK_FALSE(tied_to(*p, {0, 1, 0}));
  CHECK(tied_to(*p, {0, 1, 1}) == note_place{1, 0, 0});
  CHECK(tied_from(*p, {1, 0, 0}) == note_place{0, 1, 1});
  CHECK_FALSE(tied_from(*p, {1, 0, 1}));
}

TEST_CASE("a tie may change its spelling but not its height") {
  auto m = bar("c#4:h~ db4:h");
  std::get<chord_rest>(m.items[1].content).notes[0].tie.stop = true;
  auto p = make_part({m});
  CHECK(tied_to(*p, {0, 0, 0}) == note_place{0, 1, 0});
  auto other = bar("c4:h~ db4:h");
  std::get<chord_rest>(other.items[1].content).notes[0].tie.stop = true;
  CHECK_FALSE(tied_to(*make_part({other}), {0, 0, 0}));
}

TEST_CASE("a tie into the second ending comes from the note before the first") {
  auto first = bar("c4:w~", "1"), one = bar("c4:w", "2"), two = bar("c4:w", "3");
  barline start;
  start.location = "left";
  start.ending_type = "start";
  for (auto* m : {&one, &two}) {
    std::get<chord_rest>(m->items[0].content).notes[0].tie.stop = true;
    start.ending_numbers = m == &one ? "1" : "2";
    lead(*m, start);
  }
  auto p = make_part({first, one, two});
  CHECK(tied_from(*p, {1, 1, 0}) == note_place{0, 0, 0});
  CHECK(tied_from(*p, {2, 1, 0}) == note_place{0, 0, 0});
}

TEST_CASE("a broken chord is collected by ties over other notes, but not over a rest") {
  auto m = bar("c3:8~ g3:8 c3:q.");
  std::get<chord_rest>(m.items[2].content).notes[0].tie.stop = true;
  auto p = make_part({m});
  CHECK(tied_to(*p, {0, 0, 0}) == note_place{0, 2, 0});
  CHECK(tied_from(*p, {0, 2, 0}) == note_place{0, 0, 0});
  auto rested = bar("c3:8~ r:8 c3:q.");
  std::get<chord_rest>(rested.items[2].content).notes[0].tie.stop = true;
  CHECK_FALSE(tied_to(*make_part({rested}), {0, 0, 0}));
  CHECK_FALSE(tied_from(*make_part({rested}), {0, 2, 0}));
}

TEST_CASE("a hairpin of each hand at the same time is paired by staff, without numbers") {
  auto hairpin = [](const char* type, std::uint8_t staff) {
    direction d;
    d.types.push_back(wedge{type, 1, {}});
    d.staff = staff;
    return d;
  };
  auto m = bar("c4:q d4:q e4:q f4:q");
  auto put = [&](int beat, const char* type, std::uint8_t staff) {
    m.items.push_back({measure_position{rational{beat}}, hairpin(type, staff)});
  };
  // The right hand grows over beats 1 to 3, the left one over beats 2 to 4.
  put(0, "crescendo", 1);
  put(1, "diminuendo", 2);
  put(2, "stop", 1);
  put(3, "stop", 2);
  CHECK(joined(*make_part({m})) == "hairpin 0.0-0.2;hairpin 0.1-0.3;");
  // One that runs from staff to staff is still whole.
  auto crossing = bar("c4:w");
  crossing.items.push_back({measure_position{}, hairpin("crescendo", 1)});
  crossing.items.push_back({measure_position{rational{2}}, hairpin("stop", 2)});
  CHECK(joined(*make_part({crossing})) == "hairpin 0.0-0.2;");
}

TEST_CASE("hairpins of both hands stay apart also where they stand in several voices") {
  auto end = [](bool start, int staff, const char* voice, int at) {
    spanner_end_place e;
    e.kind = spanner_kind::hairpin;
    e.start = start;
    e.staff = staff;
    e.voice = voice;
    e.at = measure_position{rational{at}};
    e.item = static_cast<std::size_t>(at) * 2 + static_cast<std::size_t>(staff);
    return e;
  };
  // As in bar 39 of J. Lang's "Am Wasserfall": both begin at once, the upper one ends first.
  auto lines = pair_spanners(
      {end(true, 1, "1", 0), end(true, 2, "5", 0), end(false, 1, "2", 2), end(false, 2, "6", 4)});
  REQUIRE(lines.pairs.size() == 2);
  CHECK(lines.unpaired.empty());
  for (auto& [start, stop] : lines.pairs)
    CHECK(start.staff == stop.staff);
}

}  // namespace fermata::lines_test
