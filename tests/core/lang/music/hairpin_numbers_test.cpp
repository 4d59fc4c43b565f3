#include "typed_session.hpp"

#include <map>

namespace fermata::hairpin_numbers_test {

using namespace fermata::test;

// What MusicXML 4.0 says of <wedge number>: it "distinguishes multiple wedges when they overlap".
// The numbers are counted by hand: the lowest that no other hairpin has at that time on its staff.
// A stop closes the hairpin that was opened last, as `!stop` does in a phrase.

namespace {

/// The hairpin signs of a part in the order they are written: "c1 d2 s2 s1".
std::string signs(const score& s, std::size_t p = 0) {
  std::string out;
  for (const auto& m : s.parts.at(p)->measures)
    for (const auto& item : m->items)
      if (auto d = std::get_if<direction>(&item.content))
        for (const auto& t : d->types)
          if (auto w = std::get_if<wedge>(&t))
            out += (out.empty() ? "" : " ") + w->type.substr(0, w->type == "continue" ? 2 : 1) +
                   std::to_string(w->number);
  return out;
}

std::string c4(int n) {
  std::string out;
  for (int i = 0; i < n; ++i)
    out += "(note c4 :q) ";
  return out;
}

struct row {
  std::string music, signs;
};

const std::vector<row> rows{
    // One after another, touching or not.
    {"(cresc) " + c4(1) + "(hairpin-stop) " + c4(1) + "(dim) " + c4(1) + "(hairpin-stop) " + c4(1),
     "c1 s1 d1 s1"},
    {"(cresc) " + c4(1) + "(hairpin-stop) (dim) " + c4(1) + "(hairpin-stop) " + c4(2),
     "c1 s1 d1 s1"},
    // One inside the other.
    {"(cresc) " + c4(1) + "(dim) " + c4(1) + "(hairpin-stop) " + c4(1) + "(hairpin-stop) " + c4(1),
     "c1 d2 s2 s1"},
    // Three, and the number that is free again.
    {"(cresc) " + c4(1) + "(dim) " + c4(1) + "(cresc) " + c4(1) + "(hairpin-stop) " + c4(1) +
         "(hairpin-stop) " + c4(1) + "(dim) " + c4(1) + "(hairpin-stop) " + c4(1) +
         "(hairpin-stop) " + c4(1),
     "c1 d2 c3 s3 s2 d2 s2 s1"},
    // Nothing closes the first: the second follows it.
    {"(cresc) " + c4(2) + "(dim) " + c4(1) + "(hairpin-stop) " + c4(1), "c1 d1 s1"},
    // Numbers that are said hold, and what is not said gets another.
    {"(cresc :number 2) " + c4(1) + "(dim) " + c4(1) + "(hairpin-stop :number 2) " + c4(1) +
         "(hairpin-stop) " + c4(1),
     "c2 d1 s2 s1"},
    {"(cresc :number 1) " + c4(1) + "(dim) " + c4(1) + "(hairpin-stop) " + c4(1) +
         "(hairpin-stop :number 1) " + c4(1),
     "c1 d2 s2 s1"},
    // Over the barline.
    {c4(3) + "(cresc) " + c4(1) + "(dim) " + c4(2) + "(hairpin-stop) " + c4(1) + "(hairpin-stop) " +
         c4(1),
     "c1 d2 s2 s1"},
    // A hairpin that goes on over a system break has the number of the one that is open.
    {"(cresc) " + c4(1) + "(dim) " + c4(1) + "(hairpin-continue) " + c4(1) + "(hairpin-stop) " +
         c4(1) + "(hairpin-stop) " + c4(4),
     "c1 d2 co2 s2 s1"},
};

}  // namespace

TEST_CASE("hairpins that overlap get numbers wherever they are written") {
  for (const auto& x : rows) {
    INFO(x.music);
    CHECK(signs(score_of("(score (part (seq " + x.music + ")))")) == x.signs);
    session typed;
    typed.type("(seq " + x.music + ")");
    CHECK(signs(*typed.score) == x.signs);
  }
}

TEST_CASE("hairpins typed one after another are told apart once they overlap") {
  session s;
  for (auto text : {"(cresc)", "(note c4 :q)", "(dim)", "(note d4 :q)", "(hairpin-stop)",
                    "(note e4 :q)", "(hairpin-stop)", "(note f4 :q)"})
    s.type(text);
  // Which of the two is 1 is open; each has its own.
  CHECK(signs(*s.score) == "c2 d1 s1 s2");
  session follows;
  for (auto text :
       {"(cresc)", "(note c4 :h)", "(dim)", "(note d4 :q)", "(hairpin-stop)", "(note e4 :q)"})
    follows.type(text);
  CHECK(signs(*follows.score) == "c1 d1 s1");
}

TEST_CASE("hairpins of two staves do not count for each other, those of two voices do") {
  CHECK(signs(score_of("(part :piano (staff 1 (cresc) (note c5 :w) (hairpin-stop)) (staff 2 (dim) "
                       "(note c3 :w) (hairpin-stop)))")) == "c1 d1 s1 s1");
  auto voices = score_of("(part (measure (voice 1 (cresc) (note c5 :h.) (hairpin-stop) (note c5 "
                         ":q)) (voice 2 (rest :q) (dim) (note c4 :h.) (hairpin-stop))))");
  CHECK(signs(voices) == "c1 s1 d2 s2");
}

TEST_CASE("a measure that is put under a hairpin has hairpins of its own") {
  session s;
  s.type("(seq (cresc) (note c4 :w) (note d4 :w) (note e4 :w) (hairpin-stop))");
  s.type("(replace (measures 2) (measure (dim) (note d4 :h) (hairpin-stop) (note d4 :h)))");
  CHECK(signs(*s.score) == "c1 d2 s2 s1");
  s.type("(insert-measure 3 (measure (dim) (note d4 :h) (hairpin-stop) (note d4 :h)))");
  CHECK(signs(*s.score) == "c1 d2 s2 d2 s2 s1");
  // What closes a hairpin from before still does.
  session other;
  other.type("(seq (cresc) (note c4 :w) (note d4 :h) (hairpin-stop) (note d4 :h))");
  other.type("(replace (measures 2) (measure (note e4 :h.) (hairpin-stop) (note d4 :q)))");
  CHECK(signs(*other.score) == "c1 s1");
}

TEST_CASE("hairpins are printed so that they are read again with the same numbers") {
  for (const auto& x : rows) {
    auto s = score_of("(score (part (seq " + x.music + ")))");
    INFO(print_score(s));
    CHECK(score_of(print_score(s)) == s);
    CHECK(score_of(print_score(s, print_style::compact)) == s);
  }
  // Two that overlap under one number, as some files have it: the number is said.
  auto odd = score_of("(score (part (measure (cresc :number 1) (note c4 :q) (dim :number 1) (note "
                      "c4 :q) (hairpin-stop :number 1) (note c4 :q) (hairpin-stop :number 1) (note "
                      "c4 :q))))");
  REQUIRE(signs(odd) == "c1 d1 s1 s1");
  CHECK(score_of(print_score(odd)) == odd);
  CHECK(print_score(odd).find(":number 1") != std::string::npos);
  CHECK(print_score(score_of("(part (cresc) (note c4 :w) (hairpin-stop))")).find(":number") ==
        std::string::npos);
}

TEST_CASE("more hairpins at once than MusicXML can number are refused") {
  std::string open, close;
  for (int i = 0; i < 17; ++i) {
    open += "(cresc) (note c4 :64) ";
    close += "(hairpin-stop) (note c4 :64) ";
  }
  auto fault = compile_fault_of("(part (measure " + open + close + "))");
  CHECK(fault.code == errc::out_of_range);
  CHECK(fault.message.find("16 hairpins") != std::string::npos);
}

TEST_CASE("backwards, hairpins inside each other stay inside each other") {
  CHECK(signs(score_of("(part (retrograde (seq (cresc) (note c4 :q) (dim) (note d4 :q) "
                       "(hairpin-stop) (note e4 :q) (hairpin-stop) (note f4 :q))))")) ==
        "d1 c2 s2 s1");
}

}  // namespace fermata::hairpin_numbers_test
