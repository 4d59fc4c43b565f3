#include "core/score/model/section.hpp"

#include <catch2/catch.hpp>

namespace fermata::section_test {

namespace {

/// A part of as many measures; `marks`: measure (from 1) and the text of its rehearsal mark.
part_ptr part_with(int measures, const std::vector<std::pair<int, std::string>>& marks) {
  auto p = std::make_shared<part>();
  for (int i = 1; i <= measures; ++i) {
    auto m = std::make_shared<measure>();
    for (auto& [at, text] : marks)
      if (at == i) {
        direction d;
        d.types.push_back(rehearsal_mark{text, {}});
        m->items.push_back({measure_position{}, d});
      }
    p->measures.push_back(m);
  }
  return p;
}

}  // namespace

TEST_CASE("a section goes from its rehearsal mark to the measure before the next one") {
  score s;
  s.parts = {part_with(12, {{3, "A"}, {7, "B"}})};
  CHECK(sections_of(s) == std::vector<section>{{"A", 3, 6}, {"B", 7, 12}});
}

TEST_CASE("marks of any part count, each name once") {
  score s;
  s.parts = {part_with(8, {{5, "B"}}), part_with(10, {{1, "A"}, {5, "B"}})};
  CHECK(sections_of(s) == std::vector<section>{{"A", 1, 4}, {"B", 5, 10}});
}

TEST_CASE("two marks in one measure both name it") {
  score s;
  s.parts = {part_with(4, {{2, "A"}, {2, "Coda"}})};
  CHECK(sections_of(s) == std::vector<section>{{"A", 2, 2}, {"Coda", 2, 4}});
}

TEST_CASE("sections are found as musicians write them") {
  score s;
  s.parts = {part_with(4, {{2, "Second Theme"}})};
  CHECK(find_section(s, "second-theme") == section{"Second Theme", 2, 4});
  CHECK_FALSE(find_section(s, "third theme"));
  CHECK(sections_of(score{}).empty());
}

}  // namespace fermata::section_test
