#include "typed_session.hpp"

namespace fermata::divided_tuplets_test {

using namespace fermata::test;

// language.md section 6: "a value that crosses the barline is split and tied". Positions and
// lengths in quarters, counted by hand.

namespace {

/// "length tone" with ~ before and behind for ties, [ and ] for brackets.
std::string shown_in(const score& s, std::size_t m) {
  std::string out;
  for (const auto& [at, x] : rhythm_of(s, 0, m)) {
    std::string open, close;
    for (const auto& sp : x.notes.front().spanners)
      if (sp.kind == spanner_kind::tuplet) (sp.end == span_end::start ? open : close) += "b";
    const auto& n = x.notes.front();
    auto p = std::get_if<pitch>(&n.tone);
    out += out.empty() ? "" : " ";
    for (std::size_t i = 0; i < open.size(); ++i)
      out += "[";
    out += (n.tie.stop ? "~" : "") + (p ? to_string(*p) : "r") + ":" + to_string(x.length.value) +
           (n.tie.start ? "~" : "");
    for (std::size_t i = 0; i < close.size(); ++i)
      out += "]";
  }
  return out;
}

struct row {
  const char* music;
  std::vector<std::string> measures;
};

const std::vector<row> divided{
    // The second of three quarters is two eighths of the ratio.
    {"(note g4 :h.) (tuplet 3:2 (note c4 :q) (note d4 :q) (note e4 :q))",
     {"g4:3 [c4:2/3 d4:1/3~]", "[~d4:1/3 e4:2/3]"}},
    {"(note g4 :h.) (tuplet 3:2 (note c4 :q) (rest :q) (note e4 :q))",
     {"g4:3 [c4:2/3 r:1/3]", "[r:1/3 e4:2/3]"}},
    {"(note g4 :h.) (tuplet 3:2 (note c4 :q) (chord (d4 f4) :q) (note e4 :q))",
     {"g4:3 [c4:2/3 d4:1/3~]", "[~d4:1/3 e4:2/3]"}},
    // One third of a quarter before the barline: the first note is cut.
    {"(tuplet 3:2 (note a4 :8)) (note g4 :h.) (note g4 :8) (tuplet 3:2 (note c4 :8) (note d4 :8) "
     "(note e4 :8))",
     {"[a4:1/3] g4:3 g4:1/2 [c4:1/6~]", "[~c4:1/6 d4:1/3 e4:1/3]"}},
    // A quintuplet of quarters in the time of four, from the third beat.
    {"(note g4 :h) (tuplet 5:4 (note c4 :q) (note d4 :q) (note e4 :q) (note f4 :q) (note g4 :q))",
     {"g4:2 [c4:4/5 d4:4/5 e4:2/5~]", "[~e4:2/5 f4:4/5 g4:4/5]"}},
    // A dotted quarter of the ratio before the barline, an eighth of it behind.
    {"(note g4 :h.) (tuplet 3:2 (note c4 :h) (note d4 :q)) (note g4 :q)",
     {"g4:3 [c4:1~]", "[~c4:1/3 d4:2/3] g4:1"}},
    // Between two notes nothing is cut, but the bracket.
    {"(tuplet 3:2 (note a4 :8)) (note g4 :h.) (tuplet 3:2 (note c4 :8) (note d4 :8) (note e4 :8))",
     {"[a4:1/3] g4:3 [c4:1/3 d4:1/3]", "[e4:1/3]"}},
    // Inside each other.
    {"(note g4 :h.) (tuplet 3:2 (note c4 :q) (tuplet 3:2 (note d4 :8) (note e4 :8) (note f4 :8)) "
     "(note g4 :q))",
     {"g4:3 [c4:2/3 [d4:2/9 e4:1/9~]]", "[[~e4:1/9 f4:2/9] g4:2/3]"}},
};

}  // namespace

TEST_CASE("a note of a tuplet that crosses the barline is tied inside the ratio") {
  for (const auto& x : divided) {
    INFO(x.music);
    session s;
    s.type(std::string{"(seq "} + x.music + ")");
    auto part = score_of(std::string{"(part :piano "} + x.music + ")");
    for (std::size_t m = 0; m < x.measures.size(); ++m) {
      CHECK(shown_in(*s.score, m) == x.measures[m]);
      CHECK(shown_in(part, m) == x.measures[m]);
    }
    CHECK(score_of(print_score(part)) == part);
    CHECK(score_of(print_score(*s.score)) == *s.score);
  }
}

TEST_CASE("the halves of a divided tuplet are written as tuplets of their own") {
  session s;
  s.type("(note g4 :h.)");
  s.type("(tuplet 3:2 (note c4 :q) (note d4 :q) (note e4 :q))");
  CHECK(s.measure(0).find("(tuplet 3:2 (note c4 :q) (note d4 :8 :tie :start))") !=
        std::string::npos);
  CHECK(s.measure(1).find("(tuplet 3:2 (note d4 :8 :tie :stop) (note e4 :q))") !=
        std::string::npos);
}

TEST_CASE("a tuplet is refused at the barline where no value fits, and nothing is written") {
  // A sixteenth is left; what remains of c4 is five eighths of a quarter, which is no note value.
  for (auto music : {"(tuplet 3:2 (note c4 :q) (note d4 :q) (note e4 :q))",
                     "(tuplet 7:4 (note c4 :h) (note d4 :q) (note e4 :w))"}) {
    session s;
    s.type("(note g4 :h.)");
    s.type("(note g4 :8.)");
    CHECK(s.fault(music) == errc::overfull_measure);
    CHECK(compile_fault_of(std::string{"(part (note g4 :h.) (note g4 :8.) "} + music + ")").code ==
          errc::overfull_measure);
  }
}

}  // namespace fermata::divided_tuplets_test
