#include "core/theory/tonality.hpp"

#include <catch2/catch.hpp>

namespace fermata::tonality_test {

TEST_CASE("keys are read as musicians and as analysts write them") {
  for (auto [text, expected] : {std::pair{"C", "c major"},
                                {"c", "c minor"},
                                {"f#", "f# minor"},
                                {"Bb", "bb major"},
                                {"c-major", "c major"},
                                {"d minor", "d minor"},
                                {"Eb:maj", "eb major"},
                                {"f# min", "f# minor"},
                                {"b-flat-minor", "bb minor"},
                                {"d dorian", "d dorian"},
                                {"F-Sharp Minor", "f# minor"}}) {
    INFO(text);
    REQUIRE(parse_tonality(text).has_value());
    CHECK(to_string(*parse_tonality(text)) == expected);
  }
  for (auto text : {"", "h", "c blues", "major", "-major", "c-", "x minor"})
    CHECK_FALSE(parse_tonality(text).has_value());
}

TEST_CASE("the seven degrees are the tones of the signature") {
  auto spelled = [](std::string_view key) {
    std::string out;
    for (int n = 1; n <= 7; ++n)
      out += to_string(degree(*parse_tonality(key), n)) + " ";
    return out;
  };
  CHECK(spelled("c major") == "c d e f g a b ");
  CHECK(spelled("c minor") == "c d eb f g ab bb ");
  CHECK(spelled("g# major") == "g# a# b# c# d# e# f## ");
  CHECK(spelled("d phrygian") == "d eb f g a bb c ");
  CHECK(spelled("cb major") == "cb db eb fb gb ab bb ");
  for (int f = -12; f <= 12; ++f)
    for (int m = 1; m <= 9; ++m) {
      tonality t{from_line_of_fifths(f), static_cast<mode>(m)};
      for (int n = 1; n <= 7; ++n) {
        CHECK(degree(t, n).cents == alteration(signature_of(t), degree(t, n).letter));
        CHECK(degree_of(t, degree(t, n)) == altered_degree{n, 0});
      }
      CHECK(tonality_of(signature_of(t)) == t);
    }
}

TEST_CASE("parallel and relative keys") {
  CHECK(to_string(parallel(*parse_tonality("C"))) == "c minor");
  CHECK(to_string(relative(*parse_tonality("C"))) == "a minor");
  CHECK(to_string(relative(*parse_tonality("f#"))) == "a major");
  CHECK(degree_of(*parse_tonality("C"), *parse_pitch_name("f#")) == altered_degree{4, 1});
  CHECK_FALSE(degree_of(*parse_tonality("C"), *parse_pitch_name("f+")).has_value());
}

}  // namespace fermata::tonality_test
