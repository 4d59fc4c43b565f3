#include "core/session/timeline/shared_vector.hpp"

#include <catch2/catch.hpp>

#include <vector>

namespace fermata::shared_vector_test {

TEST_CASE("a copy of a timeline stays as it is while the original grows and shrinks") {
  shared_vector<int> v;
  std::vector<shared_vector<int>> copies;
  for (int i = 0; i < 300; ++i) {
    copies.push_back(v);
    v.push_back(i);
  }
  while (v.size() > 10)
    v.pop_back();
  v.push_back(-1);
  for (std::size_t n = 0; n < copies.size(); ++n) {
    REQUIRE(copies[n].size() == n);
    for (std::size_t i = 0; i < n; ++i)
      REQUIRE(copies[n][i] == static_cast<int>(i));
  }
  REQUIRE(v.size() == 11);
  CHECK(v.back() == -1);
  CHECK(v[9] == 9);
}

TEST_CASE("growing and shrinking over the edge of a chunk loses nothing") {
  // A plain vector is the oracle.
  shared_vector<int> v;
  std::vector<int> expected;
  unsigned dice = 1;
  for (int i = 0; i < 5'000; ++i) {
    dice = dice * 1'103'515'245 + 12'345;
    if ((dice >> 16) % 3 != 0 || expected.empty()) {
      v.push_back(i);
      expected.push_back(i);
    } else {
      v.pop_back();
      expected.pop_back();
    }
    REQUIRE(v.size() == expected.size());
    if (!expected.empty()) REQUIRE(v.back() == expected.back());
  }
  for (std::size_t i = 0; i < expected.size(); ++i)
    REQUIRE(v[i] == expected[i]);
}

TEST_CASE("whole chunks at the front can be let go of") {
  shared_vector<int> v;
  for (int i = 0; i < 200; ++i)
    v.push_back(i);
  auto before = v;
  CHECK(v.blank_front(150, -1) == 128);
  CHECK(v[0] == -1);
  CHECK(v[127] == -1);
  CHECK(v[128] == 128);
  CHECK(before[0] == 0);
  auto filled = shared_vector<int>::filled(130, 7);
  CHECK(filled.size() == 130);
  CHECK(filled[129] == 7);
}

}  // namespace fermata::shared_vector_test
