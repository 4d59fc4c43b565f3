#include "core/score/edit/edit.hpp"
#include "core/score/merge/merge.hpp"
#include "core/score/model/numbering.hpp"
#include "typed_session.hpp"

namespace fermata::measure_numbers_test {

using namespace fermata::test;

// MusicXML 4.0: "The implicit attribute is set to yes for measures where the measure number should
// never appear, such as pickup measures and the last half of mid-measure repeats"; the tutorial
// numbers a pickup 0, and files of notation programs the others X1, X2 ... The rest is counted by
// hand.

namespace {

std::string numbers(const score& s, std::size_t p = 0) {
  std::string out;
  for (const auto& m : s.parts.at(p)->measures)
    out += (out.empty() ? "" : " ") + (m->implicit ? '(' + m->number + ')' : m->number);
  return out;
}

/// Measures of four quarters, "p" a pickup of one and "h" one that leaves room for it.
std::vector<std::string> texts(std::string_view kinds) {
  std::vector<std::string> out;
  for (auto k : kinds)
    out.emplace_back(k == 'p'   ? "(measure :pickup (note e5 :q))"
                     : k == 'h' ? "(measure (note d5 :h.))"
                                : "(measure (note c5 :w))");
  return out;
}

std::string joined(const std::vector<std::string>& all) {
  std::string out;
  for (const auto& x : all)
    out += x + "\n";
  return out;
}

struct row {
  const char* kinds;
  const char* numbers;
};
const std::vector<row> counted{{"mmm", "1 2 3"},
                               {"pm", "(0) 1"},
                               {"pmhpm", "(0) 1 2 (X1) 3"},
                               {"mhpm", "1 2 (X1) 3"},
                               {"phphpm", "(0) 1 (X1) 2 (X2) 3"},
                               {"mppm", "1 (X1) (X2) 2"},
                               {"ppm", "(0) (X1) 1"}};

}  // namespace

TEST_CASE("measures have the same numbers compiled, typed one by one, and inserted") {
  for (const auto& x : counted) {
    INFO(x.kinds);
    auto all = texts(x.kinds);
    CHECK(numbers(score_of("(part " + joined(all) + ")")) == x.numbers);
    session typed, at_once, second;
    for (const auto& m : all)
      typed.type(m);
    CHECK(numbers(*typed.score) == x.numbers);
    at_once.type("(seq " + joined(all) + ")");
    CHECK(numbers(*at_once.score) == x.numbers);
    second.type("(part :flute (measure (note c5 :w)))");
    second.type("(part :oboe " + joined(all) + ")");
    CHECK(numbers(*second.score, 1) == x.numbers);
  }
}

TEST_CASE("notes typed behind an uncounted measure go on in the measure that counts") {
  session s;
  for (auto text : {"(note c5 :w)", "(note d5 :h.)", "(measure :pickup (note e5 :q))",
                    "(note f5 :w)", "(note g5 :w)"})
    s.type(text);
  CHECK(numbers(*s.score) == "1 2 (X1) 3 4");
}

TEST_CASE("a pickup behind key and time is a pickup") {
  for (const auto& marks : std::vector<std::vector<const char*>>{
           {"(time 3 4)"},
           {"(key g :major)", "(time 3 4)"},
           {"(part :flute)", "(key g :major)", "(time 3 4)", "(tempo \"Allegro\" :q 120)"}}) {
    session s;
    for (auto text : marks)
      s.type(text);
    s.type("(measure :pickup (note g4 :q))");
    s.type("(note c5 :h.)");
    INFO(marks.back());
    CHECK(numbers(*s.score) == "(0) 1");
    CHECK(print(s.type("(count (selected (measures 0)))")) == "1");
    CHECK(print(s.type("(selected (measures 1))")).find("c5") != std::string::npos);
  }
  // Inside a piece it is one that is not counted; a number that was said stays.
  session later, said;
  for (auto text : {"(note c5 :w)", "(key g :major)", "(measure :pickup (note g4 :q))"})
    later.type(text);
  CHECK(numbers(*later.score) == "1 (X1)");
  CHECK(print(later.type("(count (selected (measures \"X1\")))")) == "1");
  for (auto text : {"(measure :number \"7\" (key g :major))", "(measure :pickup (note g4 :q))"})
    said.type(text);
  CHECK(numbers(*said.score) == "(7)");
}

TEST_CASE("a number that follows from counting is not printed, and any other one is kept") {
  for (const auto& x : counted) {
    auto s = score_of("(part " + joined(texts(x.kinds)) + ")");
    auto text = print_score(s);
    INFO(text);
    CHECK(text.find(":number") == std::string::npos);
    CHECK(score_of(text) == s);
  }
  for (auto measures :
       {R"((measure :number "7") (measure) (measure :pickup)
                           (measure :pickup :number "X5") (measure :pickup) (measure))",
        R"((measure :pickup :number "1") (measure :number "2") (measure))",
        R"((measure :number "A") (measure) (measure :number "X1") (measure :pickup))",
        R"((measure) (measure :pickup :number "0") (measure))"}) {
    auto s = score_of(std::string{"(part "} + measures + ")");
    INFO(print_score(s));
    CHECK(score_of(print_score(s)) == s);
  }
  CHECK(numbers(score_of(R"((part (measure :number "7") (measure) (measure :pickup)
                            (measure :pickup :number "X5") (measure :pickup) (measure)))")) ==
        "7 8 (X1) (X5) (X6) 9");
  // A pickup that says 0 begins a new movement.
  CHECK(numbers(score_of("(part (measure) (measure) (measure :pickup :number \"0\") (measure))")) ==
        "1 2 (0) 1");
}

TEST_CASE("uncounted measures are numbered on when others of their kind come and go") {
  auto begin = [] {
    session s;
    s.type("(seq " + joined(texts("mhphpm")) + ")");
    CHECK(numbers(*s.score) == "1 2 (X1) 3 (X2) 4");
    return s;
  };
  struct edit {
    const char* text;
    const char* numbers;
  };
  for (const auto& x : std::vector<edit>{
           {"(delete (measures \"X1\"))", "1 2 3 (X1) 4"},
           {"(insert-measure 2 (measure :pickup (note a4 :q)))", "1 (X1) 2 (X2) 3 (X3) 4"},
           {"(insert-measure 1 (measure :pickup (note a4 :q)))", "(0) 1 2 (X1) 3 (X2) 4"},
           {"(insert-measure 2 (measure (note a4 :w)))", "1 2 3 (X1) 4 (X2) 5"},
           {"(replace (measures 2) (measure :pickup (note a4 :q)))", "1 (X1) (X2) 2 (X3) 3"},
           {"(replace (measures \"X2\") (measure :pickup (note a4 :q)))", "1 2 (X1) 3 (X2) 4"},
           {"(edit (measures \"X1\") (fn [m] (transpose +2 m)))", "1 2 (X1) 3 (X2) 4"},
       }) {
    auto s = begin();
    auto before = s.score;
    s.type(x.text);
    INFO(x.text);
    CHECK(numbers(*s.score) == x.numbers);
    auto delta = diff_snapshots(before, s.score);
    CHECK(**applied(delta, before) == *s.score);
    CHECK(**applied(inverted(delta), s.score) == *before);
  }
}

TEST_CASE("uncounted measures that both sides of a merge brought are told apart") {
  session base;
  base.type("(seq " + joined(texts("mmmm")) + ")");
  auto ours = base, theirs = base;
  ours.type("(insert-measure 2 (measure :pickup (note a4 :q)))");
  theirs.type("(insert-measure 4 (measure :pickup (note b4 :q)))");
  auto merged = merge_scores(base.score, ours.score, theirs.score);
  REQUIRE(merged);
  CHECK(numbers(*merged->score) == "1 (X1) 2 3 (X2) 4");
}

}  // namespace fermata::measure_numbers_test
