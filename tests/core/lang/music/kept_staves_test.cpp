#include "typed_session.hpp"

namespace fermata::kept_staves_test {

using namespace fermata::test;

namespace {

constexpr auto piano =
    "(part :piano (staff 1 (measure (note c5 :w)) (measure (note d5 :w)) (measure (note e5 :w))) "
    "(staff 2 (measure (note c3 :h) (note c3 :h)) (measure (note d3 :h) (note d3 :h)) (measure "
    "(note e3 "
    ":h) (note e3 :h))))";

/// The pitches of a measure, staff by staff: "1: e5 2: e3 e3".
std::string hands(const test::session& s, std::size_t m) {
  std::string text;
  for (std::uint8_t staff : {1, 2, 3}) {
    std::string notes;
    for (auto& item : s.score->parts.at(0)->measures.at(m)->items)
      if (auto x = std::get_if<chord_rest>(&item.content); x && x->staff == staff && !is_rest(*x))
        for (auto& n : x->notes)
          notes += " " + to_string(std::get<pitch>(n.tone));
    if (!notes.empty()) text += (text.empty() ? "" : " ") + std::to_string(staff) + ":" + notes;
  }
  return text;
}

bool has(const std::string& text, std::string_view what) { return text.find(what) != text.npos; }

}  // namespace

TEST_CASE("a measure that is replaced keeps the staves that nobody mentioned") {
  struct row {
    std::string with, hands, says;
  };
  for (auto& [with, there, says] : std::vector<row>{
           {"(measure (note g5 :h) (note f5 :h))", "1: g5 f5 2: e3 e3", "staff 2 kept"},
           {"(measure (staff 1 (note g5 :w)))", "1: g5 2: e3 e3", "staff 2 kept"},
           {"(staff 2 (measure (note g3 :w)))", "1: e5 2: g3", "staff 1 kept"},
           {"(measure (staff 2 (note g3 :w)))", "1: e5 2: g3", "staff 1 kept"},
           {"(measure (staff 1 (note g5 :w)) (staff 2 (note g3 :w)))", "1: g5 2: g3", "changed"},
           // A rest says that the staff is silent.
           {"(measure (staff 1 (note g5 :w)) (staff 2 (rest :w)))", "1: g5", "removed"},
           {"(seq (note g5 :w))", "1: g5 2: e3 e3", "staff 2 kept"},
       }) {
    INFO(with);
    test::session s;
    s.type(piano);
    auto answer = print(s.type("(replace (measures 3) " + with + ")"));
    INFO(answer);
    CHECK(hands(s, 2) == there);
    CHECK(has(answer, says));
    // The others are as they were.
    CHECK(hands(s, 1) == "1: d5 2: d3 d3");
  }
}

TEST_CASE("several measures keep their other staff each") {
  test::session s;
  s.type(piano);
  s.type("(replace (measures 2 3) (seq (measure (note a5 :w)) (measure (note b5 :w))))");
  CHECK(hands(s, 0) == "1: c5 2: c3 c3");
  CHECK(hands(s, 1) == "1: a5 2: d3 d3");
  CHECK(hands(s, 2) == "1: b5 2: e3 e3");
}

TEST_CASE("a function that edits a measure keeps the staves that its result does not mention") {
  struct row {
    std::string function, hands, says;
  };
  for (auto& [function, there, says] : std::vector<row>{
           {"(fn [m] (measure (note g5 :w)))", "1: g5 2: e3 e3", "staff 2 kept"},
           {"(fn [m] (measure (staff 2 (note g3 :w))))", "1: e5 2: g3", "staff 1 kept"},
           {"(fn [m] (note g5 :w))", "1: g5 2: e3 e3", "staff 2 kept"},
           {"(fn [m] (measure (staff 1 (note g5 :w)) (staff 2 (rest :w))))", "1: g5", "removed"},
           {"(fn [m] (transpose +12 m))", "1: e6 2: e4 e4", "changed"},
           {"(fn [m] m)", "1: e5 2: e3 e3", ""},
           // Without notes and rests it names no staff: all of the measure is meant.
           {"(fn [m] (measure))", "", "removed"},
       }) {
    INFO(function);
    test::session s;
    s.type(piano);
    auto answer = print(s.type("(edit (measures 3) " + function + ")"));
    INFO(answer);
    CHECK(hands(s, 2) == there);
    CHECK(has(answer, says));
    CHECK(has(answer, "kept") == (says.find("kept") != says.npos));
    CHECK(hands(s, 1) == "1: d5 2: d3 d3");
  }
}

TEST_CASE("a function that edits several measures keeps the other staff of each") {
  test::session s;
  s.type(piano);
  s.type("(edit (measures 1 2) (fn [m] (measure (note g5 :w))))");
  CHECK(hands(s, 0) == "1: g5 2: c3 c3");
  CHECK(hands(s, 1) == "1: g5 2: d3 d3");
  // Two measures in place of one leave no place for the notes of the other staff.
  CHECK(
      s.fault("(edit (measures 3) (fn [m] (seq (measure (note a5 :w)) (measure (note a5 :w)))))") ==
      errc::misplaced);
  s.type("(edit (measures 3) (fn [m] (seq m m)))");
  CHECK(hands(s, 3) == "1: e5 2: e3 e3");
}

TEST_CASE("a function that leaves out a voice of a staff is told of") {
  test::session s;
  s.type("(part :flute (measure (voice 1 (note c5 :w)) (voice 2 (note a4 :w))))");
  auto answer = print(s.type("(edit (measures 1) (fn [m] (measure (note g5 :w))))"));
  CHECK(hands(s, 0) == "1: g5");
  CHECK(has(answer, "voice 2 removed"));
}

TEST_CASE("another number of measures does not drop the other staff") {
  test::session s;
  s.type(piano);
  CHECK(s.fault("(replace (measures 2 3) (measure (note a5 :w)))") == errc::misplaced);
  CHECK(s.fault("(replace (measures 2) (seq (measure (note a5 :w)) (measure (note a5 :w))))") ==
        errc::misplaced);
  // Whoever writes both staves says what becomes of them.
  s.type("(replace (measures 2 3) (measure (staff 1 (note a5 :w)) (staff 2 (note a3 :w))))");
  CHECK(hands(s, 1) == "1: a5 2: a3");
  CHECK(s.score->parts[0]->measures.size() == 2);
}

TEST_CASE("voices of a staff that is written anew go, and that is said") {
  test::session s;
  s.type("(part :piano (measure (voice 1 (note c5 :w)) (voice 2 (note a4 :w)) (voice 5 :staff 2 "
         "(note c3 "
         ":w))))");
  auto answer = print(s.type("(replace (measures 1) (measure (note g5 :w)))"));
  INFO(answer);
  CHECK(hands(s, 0) == "1: g5 2: c3");
  CHECK(has(answer, "staff 2 kept"));
  CHECK(has(answer, "voice 2 removed"));
}

TEST_CASE("a part with one staff is replaced as a whole, and says the voices that go") {
  test::session s;
  s.type("(part :flute (measure (voice 1 (note c5 :w)) (voice 2 (note a4 :w))))");
  auto answer = print(s.type("(replace (measures 1) (measure (note g5 :w)))"));
  CHECK(hands(s, 0) == "1: g5");
  CHECK(has(answer, "voice 2 removed"));
  CHECK_FALSE(has(answer, "kept"));
}

TEST_CASE("a later voice that is replaced by name leaves the first one") {
  test::session s;
  s.type("(part :flute (measure (voice 1 (note c5 :w)) (voice 2 (note a4 :w))))");
  CHECK(s.fault("(replace (measures 1) (seq (measure (voice 2 (note e4 :w))) "
                "(measure (voice 2 (note e4 :w)))))") == errc::misplaced);
  auto answer = print(s.type("(replace (measures 1) (measure (voice 2 (note e4 :w))))"));
  auto text = print_score(*s.score);
  INFO(text);
  CHECK(has(text, "(voice 1 (note c5 :w))"));
  CHECK(has(text, "(voice 2 (note e4 :w))"));
  CHECK_FALSE(has(text, "a4"));
  CHECK_FALSE(has(answer, "removed"));
}

TEST_CASE("voices and staves keep their order, whichever of them is replaced") {
  struct row {
    const char *old, *made, *text;
  };
  for (auto& r :
       {row{"(voice 1 (note c5 :w)) (voice 2 (note a4 :w))", "(voice 2 (note e4 :w))",
            "(voice 1 (note c5 :w)) (voice 2 (note e4 :w))"},
        row{"(staff 1 (note c5 :w)) (staff 2 (note c3 :w))", "(staff 2 (note d3 :w))",
            "(voice 1 :staff 1 (note c5 :w)) (voice 5 :staff 2 (note d3 :w))"},
        row{"(staff 1 (note c5 :w)) (staff 2 (note c3 :w))", "(staff 1 (note d5 :w))",
            "(voice 1 :staff 1 (note d5 :w)) (voice 5 :staff 2 (note c3 :w))"},
        row{"(staff 1 (note c5 :w)) (staff 2 (note c3 :w))", "(key g major) (staff 2 (note d3 :w))",
            "(voice 1 :staff 1 (note c5 :w)) (voice 5 :staff 2 (note d3 :w))"}}) {
    test::session s;
    s.type("(part :piano (measure " + std::string{r.old} + "))");
    s.type("(replace (measures 1) (measure " + std::string{r.made} + "))");
    auto text = s.measure(0);
    INFO(text);
    CHECK(has(text, r.text));
  }
}

TEST_CASE("the voice that is removed is called by its name") {
  for (auto [written, answer_has, kept] :
       {std::tuple{"3", "voice 4 removed", ""}, std::tuple{"4", "", "e3"}}) {
    test::session s;
    s.type("(part :piano (measure (voice 1 (note c5 :w)) (voice 3 :staff 2 (note e3 :w)) "
           "(voice 4 :staff 2 (note c3 :w))))");
    auto answer = print(s.type("(replace (measures 1) (measure (voice " + std::string{written} +
                               " :staff 2 (note a2 :w))))"));
    auto text = print_score(*s.score);
    INFO(written << ": " << answer << text);
    CHECK(has(answer, "removed") == (std::string_view{answer_has} != ""));
    CHECK(has(answer, answer_has));
    CHECK(has(text, kept));
    CHECK(has(text, "c5"));
    CHECK(has(text, "a2"));
    CHECK_FALSE(has(text, "c3"));
  }
}

TEST_CASE("the other staff keeps its voice when the new music has the same") {
  // As some programs number them: one voice for each staff, counted from 1 on each.
  test::session s;
  s.type("(part :piano (measure (voice 2 :staff 1 (note c5 :w)) (voice 1 :staff 2 (note c3 :w))))");
  s.type("(replace (measures 1) (measure (note g5 :w)))");
  CHECK(hands(s, 0) == "1: g5 2: c3");
}

TEST_CASE("a new metre that the other staff does not fit is refused") {
  test::session s;
  s.type(piano);
  CHECK(s.fault("(replace (measures 2) (measure (time 3 4) (note g5 :h.)))") ==
        errc::overfull_measure);
}

}  // namespace fermata::kept_staves_test
