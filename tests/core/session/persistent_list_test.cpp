#include "core/session/timeline/persistent_list.hpp"

#include <catch2/catch.hpp>

#include <string>

namespace fermata::persistent_list_test {

TEST_CASE("a copy of a short list stays as it is and shares its elements") {
  persistent_list<std::string> a;
  CHECK(a.empty());
  CHECK(a.begin() == a.end());
  a.push_back("one");
  a.push_back("two");
  a.push_back("three");
  auto b = a;
  b.erase(b.begin());
  b.replace(b.begin(), "TWO");
  b.push_back("four");
  REQUIRE(a.size() == 3);
  CHECK((a[0] == "one" && a[1] == "two" && a.back() == "three"));
  REQUIRE(b.size() == 3);
  CHECK((b[0] == "TWO" && b[1] == "three" && b[2] == "four"));
  CHECK(&a[2] == &b[1]);
  CHECK_FALSE(a == b);
  CHECK(a == persistent_list<std::string>{{"one", "two", "three"}});
}

}  // namespace fermata::persistent_list_test
