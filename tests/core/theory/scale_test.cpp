#include "core/theory/scale.hpp"

#include "core/theory/pitch_class_set.hpp"
#include "tests/core/theory/table_file.hpp"

#include <catch2/catch.hpp>

#include <set>

namespace fermata::scale_test {

namespace {

std::string shown(const std::vector<pitch>& pitches) {
  std::string out;
  for (auto p : pitches)
    out += (out.empty() ? "" : " ") + to_string(p);
  return out;
}

std::string scale(std::string_view tonic, std::string_view name) {
  return shown(scale_pitches(*parse_pitch(tonic), *find_scale(name)));
}

}  // namespace

TEST_CASE(
    "all 92 scales of tonal's table have its pitch classes and, but for three, its spelling") {
  // Accepted differences: scales of seven tones that tonal writes with a letter twice.
  const std::set<std::string> respelled{"altered", "enigmatic", "leading whole tone"};
  auto rows = test::theory_table("tonal_scales.tsv");
  REQUIRE(rows.size() == 276);
  for (auto& row : rows) {
    INFO(row["root"] << " " << row["scale"]);
    auto type = find_scale(row["scale"]);
    REQUIRE(type != nullptr);
    auto names = scale_names(*parse_pitch_name(row["root"]), *type);
    auto expected = test::words_of(row["notes"]);
    REQUIRE(names.size() == expected.size());
    for (std::size_t i = 0; i < names.size(); ++i) {
      CHECK(pitch_class(names[i]) == pitch_class(*parse_pitch_name(expected[i])));
      if (respelled.count(row["scale"]) == 0) CHECK(names[i] == *parse_pitch_name(expected[i]));
    }
  }
}

TEST_CASE("every name of a scale leads to it and to no other") {
  std::set<std::string_view> seen;
  CHECK(scale_table().size() == 92);
  for (const auto& s : scale_table()) {
    INFO(s.name);
    CHECK(seen.insert(s.name).second);
    CHECK(find_scale(s.name) == &s);
    for (auto alias : s.aliases) {
      CHECK(seen.insert(alias).second);
      CHECK(find_scale(alias) == &s);
    }
    CHECK(s.intervals.front() == interval{0, 0});
  }
  CHECK(find_scale("Harmonic_Minor") == find_scale("harmonic minor"));
  CHECK(find_scale("no such scale") == nullptr);
}

TEST_CASE("a scale runs from its tonic to the octave") {
  // The first three are the examples of the language reference.
  CHECK(scale("c4", "major") == "c4 d4 e4 f4 g4 a4 b4 c5");
  CHECK(scale("a4", "minor") == "a4 b4 c5 d5 e5 f5 g5 a5");
  CHECK(scale("d4", "dorian") == "d4 e4 f4 g4 a4 b4 c5 d5");
  CHECK(scale("g#3", "major") == "g#3 a#3 b#3 c#4 d#4 e#4 f##4 g#4");
  CHECK(scale("cb4", "minor") == "cb4 db4 ebb4 fb4 gb4 abb4 bbb4 cb5");
  CHECK(scale("a3", "harmonic-minor") == "a3 b3 c4 d4 e4 f4 g#4 a4");
  CHECK(scale("eb4", "melodic minor") == "eb4 f4 gb4 ab4 bb4 c5 d5 eb5");
  CHECK(scale("c4", "whole-tone") == "c4 d4 e4 f#4 g#4 a#4 c5");
  CHECK(scale("c4", "pentatonic") == "c4 d4 e4 g4 a4 c5");
  CHECK(scale("a3", "blues") == "a3 c4 d4 eb4 e4 g4 a4");
  CHECK(scale("c4", "altered") == "c4 db4 eb4 fb4 gb4 ab4 bb4 c5");
  // Verdi's scala enigmatica, Ave Maria (Quattro pezzi sacri), ascending.
  CHECK(scale("c4", "enigmatic") == "c4 db4 e4 f#4 g#4 a#4 b4 c5");
  CHECK(shown(scale_pitches(*parse_pitch("c4"), *find_scale("major"), 0)) ==
        "c4 d4 e4 f4 g4 a4 b4");
  CHECK(scale_pitches(*parse_pitch("c2"), *find_scale("major"), 2).back() == *parse_pitch("c4"));
}

TEST_CASE("a seven-tone mode uses every letter once on every one of 35 roots") {
  for (auto name :
       {"major", "dorian", "phrygian", "lydian", "mixolydian", "minor", "locrian", "harmonic minor",
        "melodic minor", "harmonic major", "hungarian minor", "double harmonic", "altered",
        "enigmatic", "leading whole tone", "lydian dominant"})
    for (int place = -15; place < 20; ++place) {
      auto tonic = from_line_of_fifths(place);
      auto names = scale_names(tonic, *find_scale(name));
      std::set<step> letters;
      for (std::size_t i = 0; i < names.size(); ++i) {
        letters.insert(names[i].letter);
        auto above = ((pitch_class(names[i]) - pitch_class(tonic)) % 12 + 12) % 12;
        CHECK(above == find_scale(name)->intervals[i].semitones);
      }
      CHECK(letters.size() == 7);
    }
}

TEST_CASE("degrees go on beyond the octave and below the tonic") {
  auto c4 = *parse_pitch("c4");
  const auto& major = *find_scale("major");
  CHECK(to_string(scale_degree(c4, major, 1)) == "c4");
  CHECK(to_string(scale_degree(c4, major, 5)) == "g4");
  CHECK(to_string(scale_degree(c4, major, 8)) == "c5");
  CHECK(to_string(scale_degree(c4, major, 10)) == "e5");
  CHECK(to_string(scale_degree(c4, major, 0)) == "b3");
  CHECK(to_string(scale_degree(c4, major, -6)) == "c3");
  CHECK(degree_in(*parse_pitch_name("d"), major, *parse_pitch_name("f#")) == 3);
  CHECK_FALSE(degree_in(*parse_pitch_name("d"), major, *parse_pitch_name("f")).has_value());
  CHECK_FALSE(degree_in(*parse_pitch_name("d"), major, *parse_pitch_name("gb")).has_value());
}

TEST_CASE("tones are recognized as a scale") {
  auto names = scale_names(*parse_pitch_name("d"), *find_scale("dorian"));
  auto found = scales_of(*parse_pitch_name("d"), names);
  REQUIRE(found.size() == 1);
  CHECK(found.front()->name == "dorian");
}

}  // namespace fermata::scale_test
