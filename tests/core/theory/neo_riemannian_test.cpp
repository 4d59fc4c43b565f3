#include "core/theory/neo_riemannian.hpp"

#include "core/theory/pitch_class_set.hpp"
#include "tests/core/theory/table_file.hpp"

#include <catch2/catch.hpp>

#include <set>

namespace fermata::neo_riemannian_test {

namespace {

consonant_triad named(const std::string& text) {
  auto words = test::words_of(text);
  return {*parse_pitch_name(words.at(0)), words.at(1) == "minor"};
}

std::string shown(const consonant_triad& t) {
  return to_string(t.root) + (t.minor ? " minor" : " major");
}

pitch_class_set classes(const consonant_triad& t) {
  pitch_class_set s;
  for (auto n : members(t))
    s.insert(pitch_class(n));
  return s;
}

std::vector<consonant_triad> all_triads() {
  std::vector<consonant_triad> triads;
  for (int place = -4; place < 8; ++place)
    for (bool minor : {false, true})
      triads.push_back({from_line_of_fifths(minor ? place + 3 : place), minor});
  return triads;
}

bool sound_equal(const consonant_triad& a, const consonant_triad& b) {
  return a.minor == b.minor && pitch_class(a.root) == pitch_class(b.root);
}

consonant_triad operated(std::string_view operations, const consonant_triad& t) {
  return neo_riemannian(operations, t).value();
}

std::string times(std::string_view text, int n) {
  std::string out;
  for (int i = 0; i < n; ++i)
    out += text;
  return out;
}

}  // namespace

TEST_CASE("all operations of the table lead to the triad the definitions give") {
  auto rows = test::theory_table("neo_riemannian.tsv");
  REQUIRE(rows.size() == 288);
  for (auto& row : rows) {
    INFO(row["triad"] << " " << row["op"]);
    auto from = named(row["triad"]);
    auto to = operated(row["op"], from);
    CHECK(sound_equal(to, named(row["result"])));
    CHECK(std::to_string(intersection(classes(from), classes(to)).size()) == row["common_tones"]);
  }
}

TEST_CASE("P, L and R are involutions and their products have the known orders") {
  for (auto t : all_triads()) {
    for (auto word : {"PP", "LL", "RR", "NN", "SS", "HH"})
      CHECK(sound_equal(operated(word, t), t));
    CHECK(sound_equal(operated(times("LR", 12), t), t));
    CHECK(sound_equal(operated(times("PL", 3), t), t));
    CHECK(sound_equal(operated(times("PR", 4), t), t));
    CHECK(sound_equal(operated("N", t), operated("RLP", t)));
    CHECK(sound_equal(operated("S", t), operated("LPR", t)));
    CHECK(sound_equal(operated("H", t), operated("LPL", t)));
    for (int n = 1; n < 12; ++n)
      CHECK_FALSE(sound_equal(operated(times("LR", n), t), t));
  }
}

TEST_CASE("P, L and R generate a group of 24 that takes any triad to any other in one way") {
  // Each word acts as a permutation of the 24 triads; closing under P, L, R must give 24 of them.
  auto triads = all_triads();
  REQUIRE(triads.size() == 24);
  auto number = [](const consonant_triad& t) { return pitch_class(t.root) + (t.minor ? 12 : 0); };
  std::set<std::vector<int>> group;
  std::vector<std::string> words{""};
  for (std::size_t i = 0; i < words.size(); ++i) {
    std::vector<int> image;
    for (auto t : triads)
      image.push_back(number(operated(words[i], t)));
    if (!group.insert(image).second) continue;
    for (auto letter : {"P", "L", "R"})
      words.push_back(words[i] + letter);
  }
  CHECK(group.size() == 24);
  std::set<int> reached;
  for (const auto& g : group)
    reached.insert(g.front());
  CHECK(reached.size() == 24);
}

TEST_CASE("the operations commute with transposition") {
  for (auto t : all_triads())
    for (auto word : {"P", "L", "R", "N", "S", "H"})
      for (int n = 0; n < 12; ++n) {
        auto moved = consonant_triad{from_line_of_fifths(*line_of_fifths(t.root) + 7 * n), t.minor};
        CHECK(pitch_class(operated(word, moved).root) ==
              (pitch_class(operated(word, t).root) + n) % 12);
      }
}

TEST_CASE("the operations commute with inversion, which exchanges major and minor") {
  // I: a triad on r becomes the triad of the other mode whose fifth is -r.
  auto mirrored_triad = [](const consonant_triad& t) {
    auto fifth = members(t)[2];
    return consonant_triad{from_line_of_fifths(-*line_of_fifths(fifth)), !t.minor};
  };
  for (auto t : all_triads())
    for (auto word : {"P", "L", "R", "N", "S", "H", "PL", "LR"})
      CHECK(sound_equal(operated(word, mirrored_triad(t)), mirrored_triad(operated(word, t))));
}

TEST_CASE("triads are spelled as they are written") {
  // Cohn 2012, chapters 2 and 4: the relations of C major and C minor.
  for (auto [op, from, to] : {std::tuple{"P", "C major", "c minor"},
                              {"L", "C major", "e minor"},
                              {"R", "C major", "a minor"},
                              {"N", "C major", "f minor"},
                              {"S", "C major", "c# minor"},
                              {"L", "C minor", "ab major"},
                              {"R", "C minor", "eb major"},
                              {"N", "C minor", "g major"},
                              {"R", "F# major", "d# minor"},
                              {"L", "Bb minor", "gb major"},
                              {"P", "Db major", "c# minor"},
                              {"P", "G# minor", "ab major"}}) {
    INFO(op << " " << from);
    CHECK(shown(operated(op, named(from))) == to);
  }
}

TEST_CASE("sounding voices move by a step at most and common tones stay") {
  auto pitches = [](std::initializer_list<const char*> names) {
    std::vector<pitch> out;
    for (auto n : names)
      out.push_back(*parse_pitch(n));
    return out;
  };
  CHECK(neo_riemannian("P", pitches({"c4", "e4", "g4"})).value() == pitches({"c4", "eb4", "g4"}));
  CHECK(neo_riemannian("L", pitches({"c4", "e4", "g4"})).value() == pitches({"b3", "e4", "g4"}));
  CHECK(neo_riemannian("R", pitches({"c4", "e4", "g4"})).value() == pitches({"c4", "e4", "a4"}));
  CHECK(neo_riemannian("R", pitches({"c3", "g3", "e4", "c5"})).value() ==
        pitches({"c3", "a3", "e4", "c5"}));
  CHECK(neo_riemannian("PL", pitches({"c4", "e4", "g4"})).value() == pitches({"c4", "eb4", "ab4"}));
  CHECK_FALSE(neo_riemannian("P", pitches({"c4", "e4", "g#4"})).has_value());
  CHECK_FALSE(neo_riemannian("P", pitches({"c4", "e4", "g4", "b4"})).has_value());
  CHECK_FALSE(neo_riemannian("Q", pitches({"c4", "e4", "g4"})).has_value());
  CHECK_FALSE(neo_riemannian("P", std::vector<pitch>{}).has_value());
}

TEST_CASE("the Tonnetz distance counts the least number of P, L and R") {
  CHECK(tonnetz_distance(named("C major"), named("C major")) == 0);
  CHECK(tonnetz_distance(named("C major"), named("A minor")) == 1);
  CHECK(tonnetz_path(named("C major"), named("F minor")) ==
        "PLR");  // N is RLP, three steps either way
  for (auto a : all_triads())
    for (auto b : all_triads()) {
      auto path = tonnetz_path(a, b);
      CHECK(sound_equal(operated(path, a), b));
      CHECK(tonnetz_distance(a, b) == tonnetz_distance(b, a));
      CHECK(path.size() <= 5);
    }
}

}  // namespace fermata::neo_riemannian_test
