#include "io/display/display.hpp"

#include "core/lang/evaluation/evaluate.hpp"

#include <catch2/catch.hpp>

namespace fermata::io::display_test {

namespace {

evaluation evaluated(const std::string& text) {
  evaluation_request request;
  request.text = text;
  request.env = std::make_shared<const environment>();
  request.score = empty_score();
  return *evaluate(request);
}

eval_entry entry_for(const std::string& text) {
  auto done = evaluated(text);
  eval_entry e;
  e.text = text;
  e.output = done.values.back();
  e.output_text = print(*e.output);
  return e;
}

std::string shown(const std::string& text, std::string_view display) {
  return shown_value(entry_for(text), {display, 80, false});
}

}  // namespace

TEST_CASE("the same notes are shown in every way that there is") {
  auto text = "(seq (note c4 :q) (note d4 :q) (note e4 :h))";
  CHECK(shown(text, "fermata") == text);
  // The compact form says the same.
  auto compact = shown(text, "compact");
  CHECK(compact.size() < std::string{text}.size());
  CHECK(*evaluated(compact).score == *evaluated(text).score);
  CHECK(shown(text, "summary") == "seq: 3 notes, 1 measure");
  CHECK(shown(text, "musicxml").find("<score-partwise") != std::string::npos);
  CHECK(shown(text, "staff").find("-@-") != std::string::npos);
  CHECK(shown(text, "silent").empty());
}

TEST_CASE("what is no music is shown as text in every way but silently") {
  for (auto display : {"fermata", "compact", "summary", "musicxml", "staff"})
    CHECK(shown("(+ 1 2)", display) == "3");
  CHECK(shown("(+ 1 2)", "silent").empty());
}

TEST_CASE("measures cut out of a score keep the key, time and clef that hold there") {
  auto score = evaluated("(part :cello (measure (key d :major) (time 3 4) (note d3 :h.))"
                         " (measure (note f#3 :h.)))")
                   .score;
  auto xml = shown_score(score, std::size_t{0}, std::pair{2, 2}, {"musicxml", 80, true});
  CHECK(xml.find("<fifths>2</fifths>") != std::string::npos);
  CHECK(xml.find("<beats>3</beats>") != std::string::npos);
  CHECK(xml.find("<sign>F</sign>") != std::string::npos);
  CHECK(xml.find("<octave>3</octave>") != std::string::npos);
  CHECK(xml.find("<step>D</step>") == std::string::npos);  // that is measure 1
}

TEST_CASE("an empty score says so") {
  for (auto display : {"compact", "summary", "musicxml", "staff"})
    CHECK(shown_score(empty_score(), {}, {}, {display, 80, true}) == "; the score is empty");
}

}  // namespace fermata::io::display_test
