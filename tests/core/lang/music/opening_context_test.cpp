#include "typed_session.hpp"

namespace fermata::opening_context_test {

using namespace fermata::test;

// language.md section 6: "Context that is missing is made". Key signatures of transposing
// instruments: a clarinet in B flat sounds a major second lower than written, an alto saxophone a
// major sixth, a horn a fifth (Adler, The Study of Orchestration); drums have no signature (Gould,
// Behind Bars, "Unpitched percussion").

namespace {

struct opening {
  int fifths;
  std::string time;
  std::string clef;
  bool operator==(const opening&) const = default;
};

std::ostream& operator<<(std::ostream& out, const opening& x) {
  return out << x.fifths << " " << x.time << " " << x.clef;
}

opening of(const score& s, std::size_t p) {
  auto a = first_in<attributes>(s, p);
  REQUIRE(a.keys.size() == 1);
  REQUIRE(a.times.size() == 1);
  REQUIRE(!a.clefs.empty());
  return {a.keys[0].value.fifths, to_string(a.times[0].value),
          std::string{name_of(a.clefs[0].value).value_or("")}};
}

}  // namespace

TEST_CASE("measure 1 gets whichever of key, time and clef it does not say") {
  struct row {
    const char* said;
    opening made;
  };
  for (const auto& x : std::vector<row>{
           {"", {0, "4/4", "treble"}},
           {"(key g :major)", {1, "4/4", "treble"}},
           {"(time 3 2)", {0, "3/2", "treble"}},
           {"(clef :bass)", {0, "4/4", "bass"}},
           {"(key g :major) (time 3 2)", {1, "3/2", "treble"}},
           {"(key g :major) (clef :bass)", {1, "4/4", "bass"}},
           {"(time 3 2) (clef :bass)", {0, "3/2", "bass"}},
           {"(key g :major) (time 3 2) (clef :bass)", {1, "3/2", "bass"}},
           {"(mf) (key g :major)", {1, "4/4", "treble"}},
       })
    for (auto header : {"part :flute", "part", "part \"Solo\""}) {
      auto part = std::string{"("} + header + " (measure " + x.said + " (note c4 :w)))";
      INFO(part);
      auto s = score_of("(score " + part + ")");
      CHECK(of(s, 0) == x.made);
      CHECK(score_of(print_score(s)) == s);
      session typed;
      typed.type(part);
      CHECK(of(*typed.score, 0) == x.made);
      // Measure by measure at the cursor.
      session bare;
      bare.type(std::string{"("} + header + ")");
      bare.type(std::string{"(measure "} + x.said + " (note c4 :w))");
      CHECK(of(*bare.score, 0) == x.made);
    }
}

TEST_CASE("a plain part says what it says and no more") {
  auto s = score_of("(score (part :flute (measure (key g :major) (time 3 4) (note c5 :h.))) "
                    "(part :plain (measure (clef :bass) (note c3 :w))))");
  const auto a = first_in<attributes>(s, 1);
  CHECK(a.keys.empty());
  CHECK(a.times.empty());
  CHECK(score_of(print_score(s)) == s);
}

TEST_CASE("the staves of a system begin in one key and metre, each as its player reads it") {
  struct row {
    const char* parts;
    std::vector<opening> made;
  };
  for (const auto& x : std::vector<row>{
           {"(part :drums (measure (clef :percussion) (note c5 :h.)))"
            "(part :violin (measure (key g :major) (time 3 4) (note c5 :h.)))",
            {{0, "3/4", "percussion"}, {1, "3/4", "treble"}}},
           {"(part :violin (measure (key g :major) (time 3 4) (note c5 :h.)))"
            "(part :guitar (measure (clef :tab) (note c5 :h.)))",
            {{1, "3/4", "treble"}, {1, "3/4", "tab"}}},
           {"(part :flute (measure (key g :major) (note c5 :w)))"
            "(part :clarinet (measure (note c5 :w))) (part :alto-saxophone (measure (note c5 :w)))"
            "(part :horn (measure (note c5 :w))) (part :cello (measure (note c3 :w)))",
            {{1, "4/4", "treble"},
             {3, "4/4", "treble"},
             {4, "4/4", "treble"},
             {2, "4/4", "treble"},
             {1, "4/4", "bass"}}},
           // From the written key of a player who transposes to the others.
           {"(part :clarinet (measure (key a :major) (time 2 4) (note c5 :h)))"
            "(part :flute (measure (note c5 :h)))",
            {{3, "2/4", "treble"}, {1, "2/4", "treble"}}},
           // D sharp major has nine sharps, so the saxophone reads E flat major.
           {"(part :flute (measure (key f# :major) (note c5 :w)))"
            "(part :alto-saxophone (measure (note c5 :w)))",
            {{6, "4/4", "treble"}, {-3, "4/4", "treble"}}},
           {"(group :bracket (part :oboe (measure (note c5 :h.))))"
            "(part :violin (measure (time 3 4) (note c5 :h.)))",
            {{0, "3/4", "treble"}, {0, "3/4", "treble"}}},
           // What comes after the first note is no opening.
           {"(part :oboe (measure (note c5 :w)) (measure (time 3 4) (note c5 :h.)))"
            "(part :violin (measure (note c5 :w)))",
            {{0, "4/4", "treble"}, {0, "4/4", "treble"}}},
       }) {
    INFO(x.parts);
    auto s = score_of(std::string{"(score "} + x.parts + ")");
    REQUIRE(s.parts.size() == x.made.size());
    for (std::size_t p = 0; p < x.made.size(); ++p)
      CHECK(of(s, p) == x.made[p]);
    CHECK(score_of(print_score(s)) == s);
  }
}

TEST_CASE("a part that is typed below others has their key and metre") {
  for (auto second : {"(part :clarinet (measure (note c5 :h.)))", "(part :clarinet)",
                      "(part :clarinet (measure (clef :treble) (note c5 :h.)))"}) {
    session s;
    s.type("(part :flute (measure (key g :major) (time 3 4) (note c5 :h.)))");
    s.type(second);
    if (s.score->parts[1]->measures.empty()) s.type("(note c5 :h.)");
    INFO(second);
    CHECK(of(*s.score, 1) == opening{3, "3/4", "treble"});
  }
}

}  // namespace fermata::opening_context_test
