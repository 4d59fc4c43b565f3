#include "typed_session.hpp"

namespace fermata::missing_staves_test {

using namespace fermata::test;

// MusicXML 4.0: <staves> "is used if there is more than one staff represented in the given part",
// and the staff numbers of notes, directions and clefs run from 1 to it. The second staff below a
// treble one is in the bass clef, as a keyboard's.

namespace {

struct row {
  const char* measures;
  std::optional<int> staves;
  std::vector<std::string> clefs;
};

const std::vector<row> rows{
    {"(measure (note c4 :w :staff 2))", 2, {"treble", "bass"}},
    {"(measure (chord (c4 e4) :w :staff 2))", 2, {"treble", "bass"}},
    {"(measure (rest :w :staff 2))", 2, {"treble", "bass"}},
    {"(measure (staff 2 (note c4 :w)))", 2, {"treble", "bass"}},
    {"(measure (voice 2 :staff 2 (note c4 :w)))", 2, {"treble", "bass"}},
    {"(measure (clef :bass :staff 2) (note c4 :w))", 2, {"treble", "bass"}},
    {"(measure (clef :alto :staff 2) (note c4 :w))", 2, {"treble", "alto"}},
    {"(measure (note c4 :w) (staff 2 (p)))", 2, {"treble", "bass"}},
    {"(measure (note c4 :w)) (measure (note c4 :w :staff 2))", 2, {"treble", "bass"}},
    {"(measure (note c4 :h) (clef :bass :staff 2) (note c4 :h :staff 2))", 2, {"treble", "bass"}},
    {"(measure (note c4 :w))", std::nullopt, {"treble"}},
};

std::vector<std::string> clefs_of(const attributes& a) {
  std::vector<std::string> out(a.clefs.size());
  for (const auto& c : a.clefs) {
    REQUIRE(c.staff.value_or(1) <= out.size());
    out[c.staff.value_or(1) - 1] = name_of(c.value).value_or("");
  }
  return out;
}

}  // namespace

TEST_CASE("staves on which something stands are there, with a clef") {
  for (const auto& x : rows)
    for (auto header : {"part :flute", "part"}) {
      auto part = std::string{"("} + header + " " + x.measures + ")";
      INFO(part);
      auto s = score_of("(score " + part + ")");
      const auto a = first_in<attributes>(s);
      CHECK(a.staves == x.staves);
      CHECK(clefs_of(a) == x.clefs);
      CHECK(score_of(print_score(s)) == s);
      session typed;
      typed.type(std::string{"("} + header + ")");
      typed.type(std::string{"(seq "} + x.measures + ")");
      CHECK(first_in<attributes>(*typed.score).staves == x.staves);
      CHECK(clefs_of(first_in<attributes>(*typed.score)) == x.clefs);
    }
}

TEST_CASE("a piano that writes on a third staff has three") {
  for (auto measure : {"(measure (staff 3 (note c4 :w)))", "(measure (note c4 :w :staff 3))",
                       "(measure (staves 2) (note c4 :w :staff 3))"}) {
    auto s = score_of(std::string{"(score (part :piano "} + measure + "))");
    INFO(measure);
    const auto a = first_in<attributes>(s);
    CHECK(a.staves == 3);
    CHECK(a.clefs.size() == 3);
  }
}

TEST_CASE("staves that come later are declared where they say so") {
  auto s = score_of("(score (part (measure (note c4 :w)) "
                    "(measure (staves 2) (clef :bass :staff 2) (note c3 :w :staff 2))))");
  CHECK_FALSE(first_in<attributes>(s).staves);
  CHECK(first_in<attributes>(s, 0, 1).staves == 2);
  CHECK(score_of(print_score(s)) == s);
}

TEST_CASE("a file without its staves keeps its text") {
  auto s = score_of("(score (part :plain (measure (clef :treble) (note c4 :w :staff 2))))");
  CHECK_FALSE(first_in<attributes>(s).staves);
  CHECK(score_of(print_score(s)) == s);
}

TEST_CASE("edits make the staves that they write on") {
  for (auto edit : {"(replace (measures 1) (measure (note d4 :w :staff 2)))",
                    "(insert-measure 1 (measure (note d4 :w :staff 2)))",
                    "(at (measures 2) (clef :bass :staff 2))", "(clef :bass :staff 2)",
                    "(at (select :measures 2 :staff 2) (p))"}) {
    session s;
    s.type("(part :flute (measure (note c4 :w)) (measure (note c4 :w)))");
    s.type(edit);
    INFO(edit);
    CHECK(first_in<attributes>(*s.score).staves == 2);
  }
}

}  // namespace fermata::missing_staves_test
