#include "core/score/model/same_music.hpp"

#include "core/score/merge/diff.hpp"
#include "tests/core/session/musician.hpp"

#include <catch2/catch.hpp>

// By hand: which measures stay what they were when others come and go before them, though what was
// said at the beginning of one is then said by another.

namespace fermata::same_music_test {

namespace {

musician with(const std::string& begin) {
  musician s;
  s.type(begin);
  return s;
}

std::string change_of(const musician& s, std::int64_t entry) {
  auto delta = delta_of(*s.state.history.at(entry));
  REQUIRE(delta);
  return to_string(summarize(*delta));
}

std::string shown_change_of(const musician& s, std::int64_t entry) {
  return delta_text(*delta_of(*s.state.history.at(entry)), *s.state.score);
}

}  // namespace

TEST_CASE("a measure that only takes over clef, key and metre is not changed") {
  auto s = with("(part :violin (measure (note c5 :w)) (measure (note d5 :w)))");
  auto begin = s.state.score;
  s.type("(delete (measures 1))");
  CHECK(change_of(s, 2) == "Violin, measure 1: 1 measure removed; 1 note removed");
  auto shown = shown_change_of(s, 2);
  CHECK(shown.find("c5") != std::string::npos);
  CHECK(shown.find("d5") == std::string::npos);
  CHECK(shown.find("\n+") == std::string::npos);
  auto diff = to_text(musical_diff(*begin, *s.state.score));
  CHECK(diff == "Violin\n  - measure 1\n");
  s.must("undo");
  CHECK(change_of(s, 3) == "Violin, measure 1: 1 measure added; 1 note added");
  s.type("(insert-measure (measures 1) (measure (note b4 :w)))");
  CHECK(change_of(s, 4) == "Violin, measure 1: 1 measure added; 1 note added");
  shown = shown_change_of(s, 4);
  CHECK(shown.find("\n+ ") != std::string::npos);
  CHECK(shown.find("b4") != std::string::npos);
  CHECK(shown.find("c5") == std::string::npos);
}

TEST_CASE("the same of several measures, of both staves, and of a key in the middle of a piece") {
  auto s = with("(part :piano (measure (staff 1 (note c5 :w)) (staff 2 (note c3 :w))) "
                "(measure (staff 1 (note d5 :w)) (staff 2 (note d3 :w))) "
                "(measure (staff 1 (note e5 :w)) (staff 2 (note e3 :w))))");
  s.type("(delete (measures 1 2))");
  CHECK(change_of(s, 2) == "Piano, measures 1 to 2: 2 measures removed; 4 notes removed");
  s = with("(part :violin (measure (note c5 :w)) (measure (key d :major) (note d5 :w)) "
           "(measure (note e5 :w)))");
  s.type("(delete (measures 2))");
  CHECK(change_of(s, 2).find("1 measure removed") != std::string::npos);
  CHECK(change_of(s, 2).find("1 note removed") != std::string::npos);
  CHECK(change_of(s, 2).find("note changed") == std::string::npos);
}

TEST_CASE("a measure in another key, metre or clef is changed, though its notes are the same") {
  auto s = with("(part :violin (measure (note c5 :w)) (measure (note d5 :w)))");
  s.type("(replace (measures 1) (measure (key d :major) (note c5 :w)))");
  CHECK(change_of(s, 2).find("1 measure changed") != std::string::npos);
  CHECK(shown_change_of(s, 2).find("d :major") != std::string::npos);
}

TEST_CASE("measures are the same by what is in force in them, whichever says it") {
  auto s = with("(part :violin (measure (key d :major) (note c5 :w)) (measure (note d5 :w)) "
                "(measure (key g :major) (note d5 :w)))");
  auto& all = s.state.score->parts[0]->measures;
  std::vector<measure_ptr> before{all.begin(), all.end()};
  using pairs = std::vector<std::pair<std::size_t, std::size_t>>;
  CHECK(same_measures(before, before) == pairs{{0, 0}, {1, 1}, {2, 2}});
  // d5 in D major, said by itself: the second, not the third, which has the same notes.
  auto alone = with("(part :violin (measure (key d :major) (note d5 :w)))");
  std::vector<measure_ptr> after{alone.state.score->parts[0]->measures[0]};
  CHECK(same_measures(before, after) == pairs{{1, 0}});
  CHECK(same_measures(after, before) == pairs{{0, 1}});
  CHECK(same_measures({}, before).empty());
}

}  // namespace fermata::same_music_test
