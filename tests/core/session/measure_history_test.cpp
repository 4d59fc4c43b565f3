#include "core/session/commands/measure_history.hpp"

#include "core/session/commands/blame.hpp"
#include "core/session/timeline/history.hpp"
#include "tests/core/session/musician.hpp"

#include <catch2/catch.hpp>

#include <limits>

// Which entries are found for measures as they are numbered today. Entry 1 writes c5 d5 e5 f5 in
// all of them; what the others touch is followed by hand.

namespace fermata::measure_past_test {

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

TEST_CASE("what was undone and redone keeps its history") {
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

namespace {

/// Entry 4 puts a measure in place 3 on branch b, 5 changes the one behind it.
musician with_a_merge() {
  auto s = with_four_measures();
  s.must("branch b");                                              // 2
  s.must("switch-branch b");                                       // 3
  s.type("(insert-measure (measures 3) (measure (note a5 :w)))");  // 4
  s.type("(replace (measures 4) (measure (note f#5 :w)))");        // 5
  s.must("switch-branch main");                                    // 6
  s.must("merge b");                                               // 7
  return s;
}

numbers blamed(const musician& s, std::size_t measure) {
  auto found = origin_of(s.state, *s.state.score->parts[0], measure - 1).entries;
  return {found.rbegin(), found.rend()};
}

}  // namespace

TEST_CASE("what a merge brought keeps the history that it has on its branch") {
  auto s = with_a_merge();
  for (auto& [measure, wanted] : std::vector<std::pair<int, numbers>>{
           {1, {1}}, {2, {1}}, {3, {4, 7}}, {4, {1, 5, 7}}, {5, {1}}}) {
    INFO(measure);
    CHECK(touched(s, measure) == wanted);
    CHECK(blamed(s, static_cast<std::size_t>(measure)) == wanted);
  }
  CHECK(s.command("blame 4").output.find("In[5]: (replace") != std::string::npos);
  // On the branch it stands there by itself.
  auto there = with_a_merge();
  there.must("switch-branch b");
  CHECK(touched(there, 3) == numbers{4});
  CHECK(touched(there, 4) == numbers{1, 5});
}

TEST_CASE("going to another branch touches no measure, and what was never merged is not told") {
  auto s = with_four_measures();
  s.must("branch b");                                       // 2
  s.must("switch-branch b");                                // 3
  s.type("(replace (measures 2) (measure (note a5 :w)))");  // 4
  s.must("switch-branch main");                             // 5
  s.type("(replace (measures 3) (measure (note b5 :w)))");  // 6
  CHECK(touched(s, 2) == numbers{1});
  CHECK(touched(s, 3) == numbers{1, 6});
  CHECK(blamed(s, 2) == numbers{1});
  s.must("switch-branch b");  // 7
  CHECK(touched(s, 2) == numbers{1, 4});
  CHECK(touched(s, 3) == numbers{1});
  CHECK(blamed(s, 2) == numbers{1, 4});
}

TEST_CASE("a measure that went by a merge is told of by those around it") {
  auto s = with_four_measures();
  s.must("branch b");               // 2
  s.must("switch-branch b");        // 3
  s.type("(delete (measures 3))");  // 4
  s.must("switch-branch main");     // 5
  s.must("merge b");                // 6
  CHECK(touched(s, 2, 3) == numbers{1, 4, 6});
  CHECK(touched(s, 2) == numbers{1});
}

TEST_CASE("measures are followed through a merge of a merge, and one that was undone") {
  auto s = with_a_merge();
  s.must("branch c from 1");  // 8
  s.must("switch-branch c");  // 9
  s.must("merge main");       // 10
  CHECK(touched(s, 3) == numbers{4, 7, 10});
  CHECK(touched(s, 4) == numbers{1, 5, 7, 10});
  CHECK(blamed(s, 4) == numbers{1, 5, 7, 10});
  s.must("undo");        // 11
  s.must("merge main");  // 12
  CHECK(blamed(s, 4) == numbers{1, 5, 7, 12});
  CHECK(touched(s, 2) == numbers{1});
}

}  // namespace fermata::measure_past_test
