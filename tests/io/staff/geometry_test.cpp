#include "io/staff/geometry.hpp"

#include <catch2/catch.hpp>

namespace fermata::io::geometry_test {

using namespace fermata::io::staff;

namespace {

int place(const char* pitch_text, const char* clef_name) {
  return place_of(*parse_pitch(pitch_text), *find_clef(clef_name));
}

std::vector<int> places(const key_signature& k, const char* clef_name) {
  std::vector<int> all;
  for (auto& sign : key_signs(k, *find_clef(clef_name)))
    all.push_back(sign.place);
  return all;
}

}  // namespace

// Source: any primer of notation. Place 0 is the bottom line, 8 the top line, 4 the middle one.
TEST_CASE("each clef puts its own note on its own line") {
  CHECK(place("g4", "treble") == 2);  // the G clef curls round the second line
  CHECK(place("e4", "treble") == 0);
  CHECK(place("c4", "treble") == -2);  // the first ledger line below
  CHECK(place("f3", "bass") == 6);     // the two dots of the F clef
  CHECK(place("c4", "bass") == 10);    // the first ledger line above
  CHECK(place("c4", "alto") == 4);
  CHECK(place("c4", "tenor") == 6);
  CHECK(place("c5", "treble-8vb") == 12);  // the clef of tenors and guitars
  CHECK(place("g#4", "treble") == place("gb4", "treble"));
}

TEST_CASE("a note outside of the staff has every ledger line on the way to it") {
  CHECK(ledger_lines(4).empty());
  CHECK(ledger_lines(9).empty());  // the space above the staff
  CHECK(ledger_lines(-1).empty());
  CHECK(ledger_lines(-2) == std::vector<int>{-2});
  CHECK(ledger_lines(-5) == std::vector<int>{-2, -4});
  CHECK(ledger_lines(12) == std::vector<int>{10, 12});
}

// Source: Gardner Read, Music Notation (1979), chapter 9, the tables of key signatures.
TEST_CASE("key signatures stand where engravers put them in every clef") {
  key_signature sharps{.fifths = 7}, flats{.fifths = -7};
  CHECK(places(sharps, "treble") == std::vector<int>{8, 5, 9, 6, 3, 7, 4});
  CHECK(places(flats, "treble") == std::vector<int>{4, 7, 3, 6, 2, 5, 1});
  CHECK(places(sharps, "bass") == std::vector<int>{6, 3, 7, 4, 1, 5, 2});
  CHECK(places(flats, "bass") == std::vector<int>{2, 5, 1, 4, 0, 3, -1});
  CHECK(places(sharps, "alto") == std::vector<int>{7, 4, 8, 5, 2, 6, 3});
  CHECK(places(flats, "alto") == std::vector<int>{3, 6, 2, 5, 1, 4, 0});
  CHECK(places(sharps, "tenor") == std::vector<int>{2, 6, 3, 7, 4, 8, 5});
  CHECK(places(flats, "tenor") == std::vector<int>{5, 8, 4, 7, 3, 6, 2});
}

TEST_CASE("a key of three sharps has the first three") {
  CHECK(places({.fifths = 3}, "treble") == std::vector<int>{8, 5, 9});
  CHECK(places({}, "treble").empty());
}

}  // namespace fermata::io::geometry_test
