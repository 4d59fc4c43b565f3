#include "core/score/edit/edit.hpp"
#include "core/score/model/delta.hpp"
#include "tests/core/score/notation.hpp"

#include <catch2/catch.hpp>

#include <string>

namespace fermata::equal_neighbours_test {

using namespace fermata::testing;

TEST_CASE("of equal neighbours the measure that was deleted is named") {
  auto a = one_part({"c4:w", "c4:w", "c4:w", "c4:w", "c4:w"});
  // Not the first one: its signatures go to the next, which is then equal to it.
  for (std::size_t at = 1; at < 5; ++at) {
    auto b = delete_measures(a, {{0, at}});
    REQUIRE(b);
    auto d = diff_snapshots(a, *b);
    auto place = "Music, measure " + std::to_string(at + 1);
    CHECK(to_string(summarize(d)) == place + ": 1 measure removed; 1 note removed");
    CHECK(to_string(summarize(inverted(d))) == place + ": 1 measure added; 1 note added");
    auto there = applied(d, a);
    REQUIRE(there);
    CHECK(**there == **b);
  }
}

TEST_CASE("an empty measure that is put among empty ones is named") {
  auto a = insert_measures(one_part({"c4:w", "d4:w"}), 1, 3);
  REQUIRE(a);
  for (std::size_t at = 1; at < 5; ++at) {
    auto b = insert_measures(*a, at, 1);
    REQUIRE(b);
    CHECK(to_string(summarize(diff_snapshots(*a, *b))) ==
          "Music, measure " + std::to_string(at + 1) + ": 1 measure added");
  }
}

}  // namespace fermata::equal_neighbours_test
