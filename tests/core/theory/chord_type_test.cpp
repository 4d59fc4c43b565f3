#include "core/theory/chord_type.hpp"

#include "tests/core/theory/table_file.hpp"

#include <catch2/catch.hpp>

#include <set>

namespace fermata::chord_type_test {

namespace {

std::string shown(const std::vector<pitch>& pitches) {
  std::string out;
  for (auto p : pitches)
    out += (out.empty() ? "" : " ") + to_string(p);
  return out;
}

std::string voiced(std::string_view root, std::string_view quality) {
  return shown(chord_pitches(*parse_pitch(root), find_chord(quality)->intervals));
}

}  // namespace

TEST_CASE("all 107 chords of tonal's table have its pitch classes and, but for two, its spelling") {
  // Accepted differences: a ninth chord written with a second, a diminished seventh as a sixth.
  const std::set<std::string> respelled{"m9b5", "o7M7"};
  auto rows = test::theory_table("tonal_chords.tsv");
  REQUIRE(rows.size() == 321);
  for (auto& row : rows) {
    INFO(row["root"] << row["symbol"]);
    auto type = find_chord(std::string_view{row["symbol"]});
    REQUIRE(type != nullptr);
    auto names = chord_names(*parse_pitch_name(row["root"]), type->intervals);
    auto expected = test::words_of(row["notes"]);
    REQUIRE(names.size() == expected.size());
    std::set<int> ours, theirs;
    for (std::size_t i = 0; i < names.size(); ++i) {
      ours.insert(pitch_class(names[i]));
      theirs.insert(pitch_class(*parse_pitch_name(expected[i])));
      if (respelled.count(row["symbol"]) == 0) CHECK(names[i] == *parse_pitch_name(expected[i]));
    }
    CHECK(ours == theirs);
  }
}

TEST_CASE("every alias, word and MusicXML kind leads to one chord") {
  std::set<std::string_view> kinds;
  CHECK(chord_table().size() == 107);
  for (const auto& c : chord_table()) {
    INFO(c.symbol);
    CHECK(find_chord(c.symbol) == &c);
    CHECK(find_chord(c.intervals) == &c);
    for (auto alias : c.aliases)
      CHECK(find_chord(alias) == &c);
    for (auto word : c.words)
      CHECK(find_chord(word) == &c);
    if (!c.musicxml_kind.empty()) {
      CHECK(kinds.insert(c.musicxml_kind).second);
      CHECK(find_musicxml_kind(c.musicxml_kind) == &c);
    }
  }
  CHECK(find_chord(std::string_view{""})->symbol == "M");
  CHECK(find_chord("Half-Diminished")->symbol == "m7b5");
  CHECK(find_chord("M7") != find_chord("m7"));
  CHECK(find_chord("nonsense") == nullptr);
  CHECK(find_musicxml_kind("") == nullptr);
}

TEST_CASE("a chord is spelled from its root") {
  // The first three are the examples of the language reference.
  CHECK(voiced("c4", "dom7") == "c4 e4 g4 bb4");
  CHECK(voiced("c4", "major") == "c4 e4 g4");
  CHECK(voiced("c4", "major7") == "c4 e4 g4 b4");
  CHECK(voiced("g#3", "dim7") == "g#3 b3 d4 f4");
  CHECK(voiced("c#4", "dim7") == "c#4 e4 g4 bb4");
  CHECK(voiced("eb4", "dim7") == "eb4 gb4 bbb4 dbb5");
  CHECK(voiced("f4", "13") == "f4 a4 c5 eb5 g5 d6");
  CHECK(voiced("d#4", "aug") == "d#4 f##4 a##4");
}

TEST_CASE("an inversion lifts the lowest tone above the others") {
  auto chord = chord_pitches(*parse_pitch("c4"), find_chord("dom7")->intervals);
  CHECK(shown(chord_inversion(chord, 1)) == "e4 g4 bb4 c5");
  CHECK(shown(chord_inversion(chord, 3)) == "bb4 c5 e5 g5");
  CHECK(shown(chord_inversion(chord, 4)) == "c5 e5 g5 bb5");
  CHECK(shown(chord_inversion(chord, -1)) == "bb3 c4 e4 g4");
  for (int n = -8; n <= 8; ++n)
    CHECK(chord_inversion(chord_inversion(chord, n), -n) == chord);
  CHECK(chord_inversion({}, 3).empty());
}

}  // namespace fermata::chord_type_test
