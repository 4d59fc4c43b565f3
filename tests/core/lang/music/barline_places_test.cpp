#include "typed_session.hpp"

namespace fermata::barline_places_test {

using namespace fermata::test;

// Expectations: "a barline where it stands" (language.md), MusicXML's left, middle and right.

namespace {

/// Place and side of each barline of a measure.
std::string barlines(const score& s, std::size_t m = 0) {
  std::string out;
  for (const auto& item : s.parts.at(0)->measures.at(m)->items)
    if (auto b = std::get_if<barline>(&item.content))
      out += to_string(item.at.value) + " " + b->location + " " + b->style + b->ending_type + "; ";
  return out;
}

}  // namespace

TEST_CASE("a barline between notes stands in the middle of the measure") {
  for (const auto* music :
       {"(measure (note c4 :h) (barline :dashed) (note d4 :h))",
        "(part (note c4 :h) (barline :dashed) (note d4 :h))",
        "(measure (voice 1 (note c4 :h) (barline :dashed) (note d4 :h)) (voice 2 (note e4 :w)))",
        "(measure (note c4 :h) (barline :dashed :location middle) (note d4 :h))"}) {
    INFO(music);
    CHECK(barlines(score_of(music)) == "2 middle dashed; ");
  }
  CHECK(barlines(score_of("(measure (note c4 :h) (barline :repeat-start) (note d4 :h))")) ==
        "2 middle heavy-light; ");
  // At the end, or with its side said, it closes the measure.
  CHECK(barlines(score_of("(measure (note c4 :h) (note d4 :h) (barline :double))")) ==
        "4 right light-light; ");
  CHECK(barlines(score_of("(measure (note c4 :h) (barline :final))")) == "2 right light-heavy; ");
  CHECK(barlines(score_of("(measure (note c4 :h) (barline :dashed :location right) (note d4 :h))"))
            .find("right dashed") != std::string::npos);
}

TEST_CASE("a barline typed between notes stands in the middle of the measure") {
  for (const auto& typed : std::vector<std::vector<const char*>>{
           {"(note c4 :h)", "(barline :dashed)", "(note d4 :h)"},
           {"(seq (note c4 :h) (barline :dashed) (note d4 :h))"},
           {"(note c4 :w)", "(at (select :measures 1 :beats 3) (barline :dashed))"}}) {
    session s;
    for (auto text : typed)
      s.type(text);
    INFO(typed.front());
    CHECK(barlines(*s.score) == "2 middle dashed; ");
  }
  session s;
  s.type("(note c4 :h)");
  s.type("(barline :final)");
  CHECK(barlines(*s.score) == "2 right light-heavy; ");
  s.type("(note d4 :h)");
  CHECK(barlines(*s.score) == "4 right light-heavy; ");
}

TEST_CASE("a barline of an ending means the same in both spellings") {
  for (const auto* type : {"start", "stop", "discontinue"}) {
    auto words = std::string{"(barline ending 1 "} + type + ")";
    auto options = std::string{"(barline :ending 1 :"} + type + ")";
    CHECK(shown(words) == shown(options));
    auto in = [](const std::string& b) {
      return barlines(score_of("(measure (note c4 :h) " + b + " (note d4 :h))"));
    };
    CHECK(in(words) == in(options));
  }
  CHECK(barlines(score_of("(measure (barline ending 1 start) (note c4 :w))")) == "0 left start; ");
}

TEST_CASE("a printed barline keeps its side") {
  for (const auto* music : {"(measure (note c4 :h) (barline :dashed :location right) (note d4 :h))",
                            "(measure (note c4 :h) (barline :dashed) (note d4 :h))",
                            "(measure (note c4 :h) (barline :heavy-light :location left) (note d4 "
                            ":h))",
                            "(measure (note c4 :w) (barline :dashed))"}) {
    auto s = score_of(music);
    INFO(print_score(s));
    CHECK(score_of(print_score(s)) == s);
  }
}

TEST_CASE("a barline says each thing once, and endings and repeats in numbers that exist") {
  for (const auto* text : {"(barline :double :final)", "(barline :ending 1 :start :stop)",
                           "(barline ending 1 start stop)", "(barline ending 1 start :ending 2)",
                           "(barline :repeat-end :times -1)", "(barline :times 0)",
                           "(barline :double :times 2)", "(barline :ending 0 :stop)",
                           "(barline ending 0 start)", "(barline :ending (1 0) :start)"}) {
    INFO(text);
    CHECK_FALSE(try_eval(text));
  }
  CHECK(shown("(barline :repeat-end :times 3)") == "(barline :repeat-end :times 3)");
}

}  // namespace fermata::barline_places_test
