#include "evaluated.hpp"

#include <algorithm>
#include <vector>

// A barline that stands behind a measure closes it, as if it stood at its end.

namespace fermata::barlines_after_measures_test {

using namespace fermata::test;

namespace {

/// Every line that closes a measure (MusicXML's bar-style, and the backward repeat).
std::vector<std::string> closing_signs() {
  std::vector<std::string> out;
  for (const auto* name : {"regular", "double", "final", "repeat-end", "heavy", "heavy-light",
                           "heavy-heavy", "dashed", "dotted", "tick", "short", "none", "plain"})
    out.push_back(std::string{"(barline :"} + name + ")");
  return out;
}

void same_score(const std::string& loose, const std::string& inside) {
  INFO(loose);
  INFO(inside);
  CHECK(print_score(score_of(loose)) == print_score(score_of(inside)));
}

}  // namespace

TEST_CASE("a barline behind a measure is its own, whatever its style") {
  for (const auto& line : closing_signs()) {
    same_score("(part (measure (note c4 :w)) " + line + ")",
               "(part (measure (note c4 :w) " + line + "))");
    same_score("(part (measure (note c4 :w)) " + line + " (measure (note d4 :w)))",
               "(part (measure (note c4 :w) " + line + ") (measure (note d4 :w)))");
    same_score("(part (measure (note c4 :w)) " + line + " (key g major) (measure (note d4 :w)))",
               "(part (measure (note c4 :w) " + line + ") (key g major) (measure (note d4 :w)))");
    same_score("(part (seq (measure (note c4 :w)) (seq " + line + ")) (note d4 :w))",
               "(part (measure (note c4 :w) " + line + ") (note d4 :w))");
    same_score("(part (measure (voice 1 (note c4 :w)) (voice 2 (note e3 :w))) " + line + ")",
               "(part (measure (voice 1 (note c4 :w)) (voice 2 (note e3 :w)) " + line + "))");
    // In the layers of a part, in all of them, or behind them.
    same_score(
        "(part (staff 1 (measure (note c4 :w)) " + line + ") (staff 2 (measure (note c3 :w))))",
        "(part (staff 1 (measure (note c4 :w) " + line + ")) (staff 2 (measure (note c3 :w))))");
    same_score("(part (staff 1 (measure (note c4 :w)) " + line +
                   ") (staff 2 (measure (note c3 :w)) " + line + "))",
               "(part (staff 1 (measure (note c4 :w) " + line +
                   ")) (staff 2 (measure (note c3 :w))))");
    for (const auto* layers :
         {"(staff 1 (measure (note c4 :w))) (staff 2 (measure (note c3 :w)))",
          "(voice 1 (measure (note c4 :w))) (voice 2 (measure (note c3 :w)))",
          "(staff 1 (note c4 :w)) (staff 2 (note c3 :w))", "(phrase \"c4:w\")", "(note c4 :w)",
          "(measure (note c4 :h))", "(repeat (measure (note c4 :w)))"}) {
      auto s = score_of(std::string{"(part "} + layers + " " + line + ")");
      INFO(layers << " " << line);
      CHECK(s.parts[0]->measures.size() == 1);
    }
  }
}

TEST_CASE("a repeat sign behind a measure repeats it, one on both sides opens the next") {
  same_score("(part (barline :repeat-start) (measure (note c4 :w)) (barline :repeat-end) (measure "
             "(note d4 :w)))",
             "(part (measure (barline :repeat-start) (note c4 :w) (barline :repeat-end)) (measure "
             "(note d4 :w)))");
  same_score("(part (measure (note c4 :w)) (barline :repeat-both) (measure (note d4 :w) (barline "
             ":repeat-end)))",
             "(part (measure (note c4 :w) (barline :repeat-both)) (measure (note d4 :w) (barline "
             ":repeat-end)))");
  // A sign that opens belongs to the next measure, as before.
  same_score("(part (measure (note c4 :w)) (barline :repeat-start) (measure (note d4 :w)) (barline "
             ":repeat-end))",
             "(part (measure (note c4 :w)) (measure (barline :repeat-start) (note d4 :w) (barline "
             ":repeat-end)))");
}

TEST_CASE("backwards, a double bar between two measures stays between them") {
  // A || B C, read from the end: C B || A.
  auto s =
      score_of("(retrograde (part \"P\" (measure (note c4 :w)) (barline :double) (measure (note "
               "d4 :w)) (measure (note e4 :w)) (barline :final)))");
  REQUIRE(s.parts[0]->measures.size() == 3);
  CHECK(first_in<barline>(s, 0, 1).style == "light-light");
  CHECK(first_in<barline>(s, 0, 2).style == "light-heavy");
  for (const auto& x : s.parts[0]->measures[0]->items)
    CHECK_FALSE(std::holds_alternative<barline>(x.content));
}

}  // namespace fermata::barlines_after_measures_test
