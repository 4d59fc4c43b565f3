#include "places.hpp"

namespace fermata::multi_rest_test {

using namespace fermata::test;

// MusicXML's <multiple-rest>: "a rest that spans multiple measures", a matter of notation; the
// measures are there one by one. Counted by hand.

namespace {

/// For each measure of the first part the number drawn above it ("4"), "" for a rest by itself, and
/// "x" where something sounds.
std::vector<std::string> rests(const session& s) {
  std::vector<std::string> out;
  for (const auto& m : s.score->parts.at(0)->measures) {
    std::string text;
    for (const auto& item : m->items) {
      if (auto a = std::get_if<attributes>(&item.content); a && a->multiple_rest)
        text += std::to_string(*a->multiple_rest);
      if (auto x = std::get_if<chord_rest>(&item.content); x && !is_rest(*x)) text = "x";
    }
    out.push_back(text);
  }
  return out;
}

using strings = std::vector<std::string>;

strings after(const std::vector<const char*>& typed) {
  session s;
  for (auto text : typed)
    s.type(text);
  return rests(s);
}

}  // namespace

TEST_CASE("a rest over measures is so many measures") {
  const strings four{"x", "4", "", "", "", "x"};
  CHECK(after({"(part :flute (measure (note c5 :w)) (multi-rest 4) (measure (note d5 :w)))"}) ==
        four);
  CHECK(after({"(part :flute (note c5 :w) (multi-rest 4) (note d5 :w))"}) == four);
  CHECK(after({"(part :flute)", "(note c5 :w)", "(multi-rest 4)", "(note d5 :w)"}) == four);
  CHECK(after({"(part :flute (measure (note c5 :w)))",
               "(seq (multi-rest 4) (measure (note d5 :w)))"}) == four);
  CHECK(after({"(part :flute (measure (note c5 :w)) (repeat (multi-rest 4)) (measure (note d5 "
               ":w)))"}) == four);
  CHECK(after({"(part :flute (measure (note c5 :w)))",
               "(insert-measure 1 (measure (note d5 :w)) (multi-rest 4))"}) == four);
  CHECK(after({"(part :flute (multi-rest 1))"}) == strings{""});
  // In the metre that holds.
  session s;
  s.type("(part :flute (time 3 4) (multi-rest 2))");
  CHECK(rests(s) == strings{"2", ""});
  CHECK(rhythm_of(*s.score, 0, 1).front().second.length == quarters{3});
  // A sign in a measure, as files have it, is a sign.
  CHECK(
      after({"(part :flute (measure (multi-rest 2) (rest :measure)) (measure (rest :measure)))"}) ==
      strings{"2", ""});
  CHECK(session{}.fault("(part :flute (times 20 (multi-rest 10000)))") == errc::out_of_range);
}

TEST_CASE("what is said behind a rest over measures holds behind it") {
  for (const std::string metre :
       {"(time 3 4) (note d5 :h.)", "(measure (time 3 4) (note d5 :h.))"}) {
    session s;
    s.type(("(score (part :violin (multi-rest 2) " + metre +
            ") (part :cello (note c3 :w) (note d3 :w)))")
               .c_str());
    CHECK(rests(s) == strings{"2", "", "x"});
    CHECK(to_string(*time_in_force(*s.score->parts[0], 1)) == "4/4");
    CHECK(to_string(*time_in_force(*s.score->parts[0], 2)) == "3/4");
    CHECK(s.score->parts[1]->measures.size() == 2);
  }
  session s;
  s.type("(part :violin (multi-rest 2) (key d :major) (note d5 :w))");
  CHECK(state_at(*s.score->parts[0], 1, {}).staff(1).key->fifths == 0);
  CHECK(state_at(*s.score->parts[0], 2, {}).staff(1).key->fifths == 2);
}

TEST_CASE("a rest over measures is in the staff and voice that it stands in") {
  const strings grand{"1:0 1 treble", "1:0 2 bass"};
  auto voices = [](const session& s) {
    strings out;
    for (const auto& m : s.score->parts.at(0)->measures)
      for (const auto& item : m->items)
        if (auto x = std::get_if<chord_rest>(&item.content); x && is_rest(*x))
          out.push_back(std::to_string(x->staff) + " " + x->voice);
    return out;
  };
  session s;
  s.type("(part :piano (staff 2 (multi-rest 2)) (staff 1 (note c5 :w)))");
  CHECK(voices(s) == strings{"2 5", "2 5"});
  CHECK(places(s) == strings{"1:0 1 c5"});
  session again;
  again.type("(part :piano (staff 1 (note c5 :w)) (staff 2 (multi-rest 1)) (staff 1 (note d5 :w)) "
             "(staff 2 (note d3 :w)))");
  CHECK(sorted(places(again)) == strings{"1:0 1 c5", "2:0 1 d5", "2:0 2 d3"});
  session typed;
  for (auto text : {"(staff 2 (multi-rest 2))", "(staff 1 (note c5 :w))", "(staff 2 (note c3 :w))"})
    typed.type(text);
  CHECK(voices(typed) == strings{"2 5", "2 5"});
  CHECK(sorted(places(typed)) == strings{"1:0 1 c5", "3:0 2 c3"});
  session sung;
  sung.type("(part :violin (lyrics \"la la\" (seq (note c5 :w) (multi-rest 2) (note d5 :w))))");
  CHECK(rests(sung) == strings{"x", "2", "", "x"});
  for (auto text : {"(par (staff 1 (note c5 :w) (note d5 :w)) (staff 2 (multi-rest 2)))",
                    "(tuplet 3 2 (multi-rest 2))"}) {
    CHECK(session{}.fault(text) == errc::misplaced);
    CHECK(session{}.fault(("(part :piano " + std::string{text} + ")").c_str()) == errc::misplaced);
  }
}

TEST_CASE("a rest over measures has the length that it has after an edit") {
  const char* four = "(part :violin (multi-rest 4))";
  CHECK(after({four, "(insert-measure 2 (multi-rest 3))"}) == strings{"7", "", "", "", "", "", ""});
  CHECK(after({four, "(insert-measure 3 :count 1)"}) == strings{"5", "", "", "", ""});
  CHECK(after({four, "(replace (measures 2 3) (multi-rest 2))"}) == strings{"4", "", "", ""});
  CHECK(after({four, "(replace (measures 2 3) (multi-rest 3))"}) == strings{"5", "", "", "", ""});
  CHECK(after({four, "(delete (measures 2))"}) == strings{"3", "", ""});
  CHECK(after({four, "(delete (measures 1))"}) == strings{"3", "", ""});
  CHECK(after({four, "(delete (measures 4))"}) == strings{"3", "", ""});
  CHECK(after({four, "(delete (measures 2 4))"}) == strings{""});
  CHECK(after({four, "(insert-measure 1 (measure (note c5 :w)))"}) ==
        strings{"x", "4", "", "", ""});
  // In the other parts, too.
  session s;
  for (auto text : {"(part :violin (multi-rest 4))", "(part :cello (multi-rest 4))",
                    "(insert-measure (select :part 2 :measure 3) (measure (note c3 :w)))"})
    s.type(text);
  CHECK(rests(s) == strings{"5", "", "", "", ""});
  // One that was drawn over notes by hand stays, whatever happens elsewhere.
  CHECK(after({"(part :violin (measure (rest :measure)) (measure (multi-rest 2) (note c5 :w)) "
               "(measure (rest :measure)))",
               "(insert-measure 1 :count 1)"})
            .size() == 4);
}

TEST_CASE("a rest over measures is drawn as one only where nothing sounds") {
  // The other hand plays.
  for (auto text : {"(staff 2 (multi-rest 2))", "(staff :bass (multi-rest 2))"})
    CHECK(after({"(part :piano (staff 1 (measure (note c5 :w)) (measure (note d5 :w))))", text}) ==
          strings{"x", "x"});
  CHECK(after({"(part :piano (staff 1 (measure (note c5 :w)) (measure (note d5 :w))) (staff 2 "
               "(multi-rest 4)))"}) == strings{"x", "x", "2", ""});
  // Played into later on.
  const char* five = "(part :flute (multi-rest 5) (measure (note c5 :w)))";
  CHECK(after({five, "(at (measures 3) (note d5 :w))"}) == strings{"2", "", "x", "2", "", "x"});
  CHECK(after({five, "(at (measures 1) (note d5 :w))"}) == strings{"x", "4", "", "", "", "x"});
  CHECK(after({five, "(at (measures 5) (note d5 :w))"}) == strings{"4", "", "", "", "x", "x"});
  CHECK(after({five, "(at (measures 2) (note d5 :w))"}) == strings{"", "x", "3", "", "", "x"});
  CHECK(after({five, "(replace (measures 3) (measure (note d5 :w)))"}) ==
        strings{"2", "", "x", "2", "", "x"});
  CHECK(after({five, "(insert-measure 3 (measure (note d5 :w)))"}) ==
        strings{"2", "", "x", "3", "", "", "x"});
  CHECK(after({five, "(delete (measures 3))"}) == strings{"4", "", "", "", "x"});
}

}  // namespace fermata::multi_rest_test
