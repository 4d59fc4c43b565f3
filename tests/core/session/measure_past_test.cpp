#include "core/session/measure_past.hpp"

#include "core/session/blame.hpp"
#include "core/session/history.hpp"
#include "tests/core/session/musician.hpp"

#include <catch2/catch.hpp>

#include <limits>

// Which entries are found for measures as they are numbered today. Entry 1 writes c5 d5 e5 f5 in
// all of them; what the others touch is followed by hand.

namespace fermata {

namespace {

using numbers = std::vector<std::int64_t>;

musician with_four_measures() {
  musician s;
  s.type("(part :violin (measure (note c5 :w)) (measure (note d5 :w)) (measure (note e5 :w)) "
         "(measure (note f5 :w)))");
  return s;
}

numbers touched(const musician& s, int first, int last, std::optional<std::string> part = {}) {
  history_query q;
  q.measures = std::pair{first, last};
  if (part) q.part = *part;
  return select_indices(s.state.history, with_measures_followed(q, s.state));
}
numbers touched(const musician& s, int measure) { return touched(s, measure, measure); }

numbers listed(const musician& s, const std::string& line) {
  auto outcome = run_command(line, s.state, {}, s.clock);
  INFO(outcome.output);
  REQUIRE(outcome.listing);
  return outcome.listing->indices;
}

}  // namespace

TEST_CASE("the history of a measure follows it through what comes and goes before it") {
  auto s = with_four_measures();
  s.type("(replace (measures 3) (measure (note g5 :w)))");                                // 2
  s.type("(insert-measure (measures 1) (measure (note b4 :w)) (measure (note b4 :w)))");  // 3
  CHECK(touched(s, 5) == numbers{1, 2});
  CHECK(touched(s, 3) == numbers{1, 3});  // the opening of the score moved out of it
  CHECK(touched(s, 4) == numbers{1});
  CHECK(touched(s, 1) == numbers{3});
  s.type("(delete (measures 1 2))");  // 4
  CHECK(touched(s, 3) == numbers{1, 2});
  CHECK(touched(s, 4) == numbers{1});
  CHECK(listed(s, "history --measures 3 --code") == numbers{1, 2});
  CHECK(listed(s, "history --measures 4- --code") == numbers{1});
}

TEST_CASE("what :blame names is among the history of the measure") {
  auto s = with_four_measures();
  s.type("(replace (measures 2) (measure (note a5 :w)))");
  s.type("(insert-measure (measures 2) (measure (note b4 :w)))");
  s.type("(delete (measures 5))");
  s.must("undo");
  s.type("(note g5 :w)");
  s.must("branch other from 2");
  s.must("switch-branch other");
  s.type("(replace (measures 3) (measure (note e4 :w)))");
  s.must("switch-branch main");
  auto& p = *s.state.score->parts[0];
  REQUIRE(p.measures.size() == 6);
  for (std::size_t m = 0; m < p.measures.size(); ++m) {
    INFO(m + 1);
    auto found = touched(s, static_cast<int>(m + 1));
    for (auto& note : origin_of(s.state, p, m).notes)
      CHECK(std::find(found.begin(), found.end(), note.entry) != found.end());
  }
}

TEST_CASE("what was taken back and made again keeps its history") {
  auto s = with_four_measures();
  s.type("(replace (measures 4) (measure (note a5 :w)))");  // 2
  s.type("(delete (measures 4))");                          // 3
  s.must("undo");                                           // 4
  CHECK(touched(s, 4) == numbers{1, 2, 3, 4});
  CHECK(touched(s, 2) == numbers{1});
}

TEST_CASE("a rehearsal mark stands for its measures of today") {
  auto s = with_four_measures();
  s.type("(replace (measures 3) (measure (rehearsal \"A\") (note g5 :w)))");  // 2
  s.type("(insert-measure (measures 2) (measure (note b4 :w)))");             // 3
  CHECK(listed(s, "history --measures A --code") == numbers{1, 2});
  CHECK(listed(s, "history --measures 2 --code") == numbers{3});
}

TEST_CASE("each part has the history of its own measures") {
  auto s = with_four_measures();
  s.type("(part :flute (measure (note c6 :w)) (measure (note d6 :w)) (measure (note e6 :w)) "
         "(measure (note f6 :w)))");                                                // 2
  s.type("(replace (select :part \"Flute\" :measures 2) (measure (note a6 :w)))");  // 3
  s.type("(insert-measure (measures 1) (measure (note b4 :w)))");                   // 4
  CHECK(touched(s, 3, 3, "Violin") == numbers{1});
  CHECK(touched(s, 3, 3, "Flute") == numbers{2, 3});
  CHECK(touched(s, 3, 3) == numbers{1, 2, 3});
  // Of a part that is gone: the numbers that it had when it went.
  s.type("(delete (select :part \"Flute\"))");  // 5
  CHECK(touched(s, 3, 3) == numbers{1, 2, 3, 5});
}

TEST_CASE("an open range of measures has what went behind its beginning") {
  auto s = with_four_measures();
  s.type("(delete (measures 4))");                          // 2
  s.type("(replace (measures 1) (measure (note g5 :w)))");  // 3
  auto end = std::numeric_limits<int>::max();
  CHECK(touched(s, 3, end) == numbers{1, 2});
  CHECK(touched(s, 4, end) == numbers{1, 2});
  CHECK(touched(s, 1, end) == numbers{1, 2, 3});
  CHECK(touched(s, 2, 3) == numbers{1});
}

}  // namespace fermata
