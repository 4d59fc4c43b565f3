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

TEST_CASE("where moves say which of equal measures came or went, they are named") {
  auto a = one_part({"c4:w", "c4:w", "c4:w", "c4:w", "c4:w"});
  for (std::size_t at = 0; at < 5; ++at) {
    auto b = delete_measures(a, {{0, at}});
    REQUIRE(b);
    auto& id = a->parts[0]->id;
    auto there = diff_snapshots(a, *b, {{id, at, 1, 0}});
    auto back = diff_snapshots(*b, a, moves_of(inverted(there)));
    auto place = "Music, measure " + std::to_string(at + 1);
    auto gone = place + ": 1 measure removed; 1 note removed";
    auto come = place + ": 1 measure added; 1 note added";
    CHECK(to_string(summarize(there)) == gone);
    CHECK(to_string(summarize(inverted(there))) == come);
    CHECK(to_string(summarize(back)) == come);
    CHECK(moves_of(there) == measure_moves{{id, at, 1, 0}});
    CHECK(**applied(there, a) == **b);
    CHECK(**applied(inverted(there), *b) == *a);
    CHECK(**applied(back, *b) == *a);
  }
}

TEST_CASE("moves that do not fit the scores are not believed") {
  auto a = one_part({"c4:w", "c4:w", "c4:w"});
  auto b = delete_measures(a, {{0, 1}});
  REQUIRE(b);
  auto& id = a->parts[0]->id;
  for (measure_moves wrong : {measure_moves{{id, 7, 1, 0}}, measure_moves{{id, 0, 0, 1}},
                              measure_moves{{"other", 0, 1, 0}}, measure_moves{{id, 0, 9, 0}}})
    CHECK(diff_snapshots(a, *b, wrong) == diff_snapshots(a, *b));
}

TEST_CASE("moves follow each other, each in the part as those before it left it") {
  // Of ten measures the third goes, then two come in front of the fifth of what is left, then the
  // first goes.
  measure_moves moves{{"P1", 2, 1, 0}, {"P2", 0, 9, 0}, {"P1", 4, 0, 2}, {"P1", 0, 1, 0}};
  std::vector<stayed_run> stayed{{1, 0, 1}, {3, 1, 2}, {5, 5, 5}};
  CHECK(stayed_runs(moves, "P1", 10, 10) == stayed);
  // With two more at the end.
  CHECK(stayed_runs(moves, "P1", 10, 12) == stayed);
  CHECK(stayed_runs(moves, "P1", 10, 9).empty());
  CHECK(stayed_runs(moves, "P3", 10, 10).empty());
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
