#include "core/lang/names/xml_text.hpp"
#include "io/musicxml/schema.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <set>
#include <string_view>

namespace fermata::io::names_test {

using namespace fermata::io::musicxml;

TEST_CASE("the language knows the elements and attributes of the schema by name, and no others") {
  std::set<std::string_view> elements, attributes;
  for (auto& e : schema_elements()) {
    elements.insert(e.name);
    for (auto& a : e.attributes)
      attributes.insert(a.name);
  }
  auto set_of = [](auto& names) { return std::set<std::string_view>(names.begin(), names.end()); };
  CHECK(set_of(musicxml_elements()) == elements);
  CHECK(set_of(musicxml_attributes()) == attributes);
  CHECK(std::is_sorted(musicxml_elements().begin(), musicxml_elements().end()));
  CHECK(std::is_sorted(musicxml_attributes().begin(), musicxml_attributes().end()));
}

TEST_CASE("what the language takes for playback are the attributes of <sound>") {
  std::set<std::string_view> attributes;
  for (auto& a : find_schema_element("sound")->attributes)
    attributes.insert(a.name);
  auto names = sound_attribute_names();
  CHECK(std::set<std::string_view>(names.begin(), names.end()) == attributes);
}

}  // namespace fermata::io::names_test
