#include "core/theory/chord_naming.hpp"

#include "core/theory/chord_symbol.hpp"

#include <catch2/catch.hpp>

namespace fermata::chord_naming_test {

namespace {

std::string named(std::initializer_list<const char*> names) {
  std::vector<pitch> pitches;
  for (auto n : names)
    pitches.push_back(*parse_pitch(n));
  auto found = identify_chord(pitches);
  return found.empty() ? "" : to_string(found.front());
}

}  // namespace

TEST_CASE("sounding pitches are called what a user calls them") {
  CHECK(named({"c4", "e4", "g4"}) == "C");
  CHECK(named({"e3", "c4", "g4", "c5"}) == "C/E");
  CHECK(named({"g2", "c4", "e4"}) == "C/G");
  CHECK(named({"a3", "c4", "e4", "g4"}) == "Am7");
  CHECK(named({"c4", "e4", "g4", "a4"}) == "C6");
  CHECK(named({"e3", "g3", "a3", "c4"}) == "Am7/E");
  CHECK(named({"b3", "d4", "f4", "a4"}) == "Bm7b5");
  CHECK(named({"g#3", "b3", "d4", "f4"}) == "G#dim7");
  CHECK(named({"b3", "d4", "f4", "ab4"}) == "Bdim7");
  CHECK(named({"d4", "f4", "ab4", "b4"}) == "Bdim7/D");  // the spelling tells the root
  CHECK(named({"c4", "e4", "g#4"}) == "Caug");
  CHECK(named({"c4", "e4", "ab4"}) == "Abaug/C");
  CHECK(named({"c3", "g3"}) == "C5");
  CHECK(named({"f3", "bb3", "c4"}) == "Fsus4");
  CHECK(named({"g3", "b3", "f4"}) == "G7no5");
  CHECK(named({"d3", "f#3", "a3", "c4", "e4"}) == "D9");
  CHECK(named({"d3", "e3", "g#3", "b3"}) == "E7/D");
  CHECK(named({"c4"}).empty());
  CHECK(named({"c4", "c5"}).empty());
  CHECK(named({}).empty());
  CHECK(named({"c4", "c#4", "d4", "d#4"}).empty());
}

TEST_CASE("every chord of the table is found again in every inversion on every root") {
  for (int place = -6; place <= 6; ++place)
    for (const auto& type : chord_table()) {
      pitch root{from_line_of_fifths(place).letter, from_line_of_fifths(place).cents, 3};
      auto chord = chord_pitches(root, type.intervals);
      for (int inversion = 0; inversion < static_cast<int>(chord.size()); ++inversion) {
        auto found = identify_chord(chord_inversion(chord, inversion));
        bool there = false;
        for (const auto& m : found)
          there = there || (m.root == root.name() && m.type == &type && m.as_spelled);
        if (!there) FAIL(to_string(root) << type.symbol << " inversion " << inversion);
      }
    }
}

}  // namespace fermata::chord_naming_test
