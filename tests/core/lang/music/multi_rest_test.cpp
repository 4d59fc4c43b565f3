#include "places.hpp"

using namespace fermata;
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
