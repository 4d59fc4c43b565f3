#include "core/theory/set_similarity.hpp"

#include "core/theory/set_class.hpp"

#include <catch2/catch.hpp>

namespace fermata::set_similarity_test {

namespace {

std::vector<pitch_class_set> tetrachords() {
  std::vector<pitch_class_set> sets;
  for (const auto& c : set_class_table())
    if (c.prime.size() == 4) sets.push_back(set_of(c));
  return sets;
}

}  // namespace

TEST_CASE("Forte's relations follow from the interval vectors") {
  // Vectors from Forte's appendix 1: 4-1 321000, 4-2 221100, 4-3 212100, 4-28 004002.
  CHECK(similarity_relations({0, 1, 2, 4}, {0, 1, 3, 4})
            .r1);  // 221100 and 212100 exchange two entries
  CHECK_FALSE(similarity_relations({0, 1, 2, 4}, {0, 1, 3, 4}).r2);
  CHECK(similarity_relations({0, 1, 2, 4}, {0, 1, 3, 4}).rp);  // both hold 3-2, 013
  CHECK(similarity_relations({0, 1, 2, 3}, {0, 1, 2, 4}).r2);  // 3..0 against 2..1, the rest agrees
  CHECK(similarity_relations({0, 1, 2, 3}, {0, 3, 6, 9}) ==
        forte_relations{});                                                // only two zeros agree
  CHECK_FALSE(similarity_relations({0, 4, 7}, {0, 1, 4, 7}).rp);           // not of one size
  CHECK(similarity_relations({0, 4, 7}, {0, 3, 7}) == forte_relations{});  // the same class
}

TEST_CASE("the measures of two interval vectors, by hand") {
  // 4-1 321000 against 4-28 004002: differences 3 2 3 0 0 2; six intervals in each.
  pitch_class_set a{0, 1, 2, 3}, b{0, 3, 6, 9};
  CHECK(sim(a, b) == 10);
  CHECK(asim(a, b) == Approx(10.0 / 12));
  CHECK(ak(a, b) == Approx(1.0 / 6));
  // Mean difference 0, squares 9 + 4 + 9 + 4 over six.
  CHECK(icvsim(a, b) == Approx(std::sqrt(26.0 / 6)));
  // Major and minor triads are one class; the diminished has 002001 against 001110.
  CHECK(sim({0, 4, 7}, {0, 3, 6}) == 4);
  // Subsets of two and more: 037 has 3, 4, 5 and itself; 036 has 3, 3, 6 and itself: class 3 is
  // mutual.
  CHECK(atmemb({0, 3, 7}, {0, 3, 6}) == Approx(3.0 / 8));
  CHECK(rel({0, 3, 7}, {0, 3, 6}) == Approx(std::sqrt(2.0) / 4));
}

TEST_CASE(
    "every measure is symmetric, blind to transposition and inversion, and best for a set itself") {
  auto sets = tetrachords();
  REQUIRE(sets.size() == 29);
  for (auto a : sets) {
    auto moved = inverted(transposed(a, 5), 3);
    CHECK(sim(a, moved) == 0);
    CHECK(asim(a, moved) == 0.0);
    CHECK(ak(a, moved) == 1.0);
    CHECK(icvsim(a, moved) == 0.0);
    CHECK(atmemb(a, moved) == 1.0);
    CHECK(rel(a, moved) == Approx(1.0));
    for (auto b : sets) {
      CHECK(sim(a, b) == sim(b, a));
      CHECK(similarity_relations(a, b) == similarity_relations(b, a));
      CHECK(rel(a, b) == Approx(rel(b, a)));
      CHECK(rel(a, b) <= 1.0 + 1e-12);
      CHECK(atmemb(a, b) <= 1.0);
    }
  }
}

TEST_CASE("Z partners are alike to interval vectors and different to their subsets") {
  auto a = set_of(*find_set_class("4-Z15")), b = set_of(*find_set_class("4-Z29"));
  CHECK(sim(a, b) == 0);
  CHECK(rel(a, b) < 1.0);
}

}  // namespace fermata::set_similarity_test
