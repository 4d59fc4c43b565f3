#include "core/score/model/mark.hpp"

#include <catch2/catch.hpp>

#include <set>

namespace fermata::mark_test {

TEST_CASE("every mark is found by its element name and by each of its words") {
  for (auto& row : mark_table()) {
    INFO(row.xml_name);
    CHECK(info(row.kind).xml_name == row.xml_name);
    CHECK(mark_by_xml_name(row.group, row.xml_name) == row.kind);
    CHECK(mark_by_option(row.option) == row.kind);
  }
  CHECK(mark_by_option("portato") == mark_kind::detached_legato);
  CHECK(mark_by_option("bartok-pizzicato") == mark_kind::snap_pizzicato);
  CHECK(mark_by_option("dynamic") == mark_kind::dynamics_notation);
}

TEST_CASE("no word names two marks") {
  std::set<std::string_view> words;
  for (auto& row : mark_table())
    CHECK(words.insert(row.option).second);
}

TEST_CASE("the accidental mark of an ornament is not the accidental mark of a note") {
  CHECK(mark_by_xml_name(mark_group::ornament, "accidental-mark") ==
        mark_kind::ornament_accidental);
  CHECK(mark_by_xml_name(mark_group::notation, "accidental-mark") ==
        mark_kind::accidental_notation);
}

TEST_CASE("what is no mark is not found") {
  CHECK_FALSE(mark_by_option("stacato"));
  CHECK_FALSE(mark_by_option(""));
  CHECK_FALSE(mark_by_xml_name(mark_group::ornament, "staccato"));
}

}  // namespace fermata::mark_test
