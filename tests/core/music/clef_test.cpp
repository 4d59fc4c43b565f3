#include "core/music/clef.hpp"

#include <catch2/catch.hpp>

#include <set>

namespace fermata::clef_test {

TEST_CASE("a clef is found by each of its names and keeps its canonical one") {
  std::set<std::string_view> seen;
  for (const auto& row : clef_table()) {
    INFO(row.name);
    CHECK(seen.insert(row.name).second);
    CHECK(find_clef(row.name) == row.value);
    CHECK(name_of(row.value) == row.name);
    for (auto alias : row.aliases) {
      CHECK(seen.insert(alias).second);
      CHECK(find_clef(alias) == row.value);
    }
  }
  CHECK(find_clef("Treble") == find_clef("g"));
  CHECK_FALSE(find_clef("violin-ish").has_value());
}

TEST_CASE("a clef without a line stands on the usual one") {
  // MusicXML 4.0, element line: 2 for G, 4 for F, 3 for C.
  CHECK(name_of({"G", 0, 0}) == "treble");
  CHECK(name_of({"F", 0, 0}) == "bass");
  CHECK(name_of({"C", 0, 0}) == "alto");
  CHECK(name_of({"percussion", 2, 0}) == "percussion");
  CHECK_FALSE(name_of({"G", 4, 0}).has_value());
}

}  // namespace fermata::clef_test
