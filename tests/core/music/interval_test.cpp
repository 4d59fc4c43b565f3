#include "core/music/interval.hpp"

#include <catch2/catch.hpp>

namespace fermata::interval_test {

TEST_CASE("intervals print with quality and number and read back") {
  struct row {
    std::string_view text;
    interval expected;
  };
  for (const auto& [text, expected] :
       {row{"P1", {0, 0}},  {"m2", {1, 1}},    {"M2", {1, 2}},      {"m3", {2, 3}},
        {"M3", {2, 4}},     {"P4", {3, 5}},    {"aug4", {3, 6}},    {"dim5", {4, 6}},
        {"P5", {4, 7}},     {"aug5", {4, 8}},  {"m6", {5, 8}},      {"M6", {5, 9}},
        {"dim7", {6, 9}},   {"m7", {6, 10}},   {"M7", {6, 11}},     {"P8", {7, 12}},
        {"M9", {8, 14}},    {"P11", {10, 17}}, {"m13", {12, 20}},   {"aug2x4", {3, 7}},
        {"dim2x5", {4, 5}}, {"dim2", {1, 0}},  {"dim1", {0, -1}},   {"aug1", {0, 1}},
        {"-P5", {-4, -7}},  {"-m3", {-2, -3}}, {"-aug4", {-3, -6}}, {"dim2x2", {1, -1}}}) {
    INFO(text);
    CHECK(parse_interval(text) == expected);
    CHECK(to_string(expected) == text);
  }
}

TEST_CASE("every interval within five accidentals reads back as itself") {
  for (int steps = -20; steps <= 20; ++steps)
    for (int semitones = -40; semitones <= 40; ++semitones) {
      interval i{steps, semitones};
      auto text = to_string(i);
      auto back = parse_interval(text);
      // A bound on the accidentals keeps nonsense out: dim9x5 is readable, dim10x5 is not.
      if (back && *back != i) FAIL(text);
      if (!back && text.find('x') == std::string::npos) FAIL(text);
    }
}

TEST_CASE("impossible qualities and pitches are not intervals") {
  for (auto text : {"P3", "M5", "m4", "P6", "M1", "P0", "P", "", "-", "5", "A4", "d5", "aug",
                    "augx4", "aug0x4", "P5x", "P100", "x4", "perfect5"}) {
    INFO(text);
    CHECK_FALSE(parse_interval(text).has_value());
  }
  CHECK(parse_interval("A4", true) == interval{3, 6});
  CHECK(parse_interval("d5", true) == interval{4, 6});
  CHECK(parse_interval("AA4", true) == interval{3, 7});
  CHECK(parse_interval("-d5", true) == interval{-4, -6});
}

TEST_CASE("transposing by an interval keeps the spelling exact") {
  auto moved = [](std::string_view p, std::string_view i) {
    return to_string(transposed(*parse_pitch(p), *parse_interval(i)));
  };
  CHECK(moved("c4", "M3") == "e4");
  CHECK(moved("d#4", "M3") == "f##4");
  CHECK(moved("b3", "m2") == "c4");
  CHECK(moved("c4", "-m2") == "b3");
  CHECK(moved("fb4", "dim5") == "cbb5");
  CHECK(moved("c4", "dim1") == "cb4");
  CHECK(moved("e+4", "P5") == "b+4");
  CHECK(to_string(transposed(*parse_pitch_name("b"), *parse_interval("P5"))) == "f#");
}

TEST_CASE("the interval between two pitches leads from the first to the second") {
  for (int a = 0; a < 60; ++a)
    for (int b = 0; b < 60; ++b) {
      auto from = transposed(*parse_pitch("c3"), {a / 3, a / 2});
      auto to = transposed(*parse_pitch("c3"), {b / 3, b / 2});
      CHECK(transposed(from, between(from, to)) == to);
      CHECK(between(from, to) == -between(to, from));
    }
}

}  // namespace fermata::interval_test
