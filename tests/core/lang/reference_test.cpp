#include "core/lang/reference.hpp"

#include "core/lang/reader.hpp"
#include "core/music/clef.hpp"
#include "core/music/duration.hpp"
#include "core/music/instruments.hpp"
#include "core/music/key.hpp"
#include "core/score/mark.hpp"
#include "tests/support/doc_page.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <iterator>

using namespace fermata;

namespace {

const reference_item* find_item(const reference_topic& t, std::string_view keyword) {
  auto at =
      std::find_if(t.items.begin(), t.items.end(), [&](auto& i) { return i.keyword == keyword; });
  return at != t.items.end() ? &*at : nullptr;
}

}  // namespace

TEST_CASE("the page on the language says what the tables say") {
  fermata::test::check_page("language.md", reference_markdown());
}

TEST_CASE("every topic can be asked for and has something to say") {
  auto names = reference_topic_names();
  for (auto& name : names) {
    INFO(name);
    auto t = find_reference_topic(name);
    REQUIRE(t);
    CHECK_FALSE(t->title.empty());
    CHECK_FALSE(t->items.empty());
  }
  CHECK_FALSE(find_reference_topic("recipes"));
}

TEST_CASE("the topics list every row of the tables") {
  CHECK(find_reference_topic("clefs")->items.size() == clef_table().size());
  CHECK(find_reference_topic("instruments")->items.size() == instrument_table().size());
  CHECK(find_reference_topic("forms")->items.size() == form_table().size());
  CHECK(find_reference_topic("errors")->items.size() == error_table().size());
  std::size_t marks = 0;
  for (auto name : {"articulations", "ornaments", "technical", "notations"})
    marks += find_reference_topic(name)->items.size();
  CHECK(marks == mark_table().size());
}

TEST_CASE("every duration and pitch that is shown is one") {
  auto durations = find_reference_topic("durations"), pitches = find_reference_topic("pitches");
  for (auto& i : durations->items)
    CHECK(parse_note_value(i.keyword.substr(1)));
  for (auto& i : pitches->items)
    CHECK(parse_pitch(i.keyword));
}

TEST_CASE("keys say how many accidentals they have") {
  // The circle of fifths.
  auto t = find_reference_topic("keys");
  CHECK(find_item(*t, "c-major")->description == "no accidentals");
  CHECK(find_item(*t, "g-major")->description == "1 sharp");
  CHECK(find_item(*t, "bb-minor")->description == "5 flats");
  CHECK(find_item(*t, "cb-major")->description == "7 flats");
  CHECK(find_item(*t, "a#-minor")->description == "7 sharps");
}

TEST_CASE("examples are shown with what they evaluate to") {
  auto t = find_reference_topic("list");
  auto nth = find_item(*t, "(nth N LIST)");
  REQUIRE(nth);
  CHECK(nth->example == "(nth 1 (c4 e4 g4))");
  CHECK(nth->result == "e4");
  CHECK(reference_text(*t).find("(nth 1 (c4 e4 g4))  =>  e4") != std::string::npos);
}

TEST_CASE("the help of a form names all its parameters") {
  CHECK(form_help(*find_form("sort")) == "(sort LIST [:by BY] [:down])\n"
                                         "The items in order; equal ones keep theirs.\n"
                                         "  list  a list, or a seq as its items\n"
                                         "  :by  gives what is compared instead of the item\n"
                                         "  :down  greatest first\n"
                                         "example: (sort (g4 c4 e4))");
}

TEST_CASE("the page has every form, and no row breaks out of its table") {
  auto page = reference_markdown();
  for (auto& row : form_table())
    CHECK(page.find("\n### " + row.name + "\n") != std::string::npos);
  std::size_t cells = 0;
  for (std::size_t at = 0; at < page.size();) {
    auto end = page.find('\n', at);
    auto line = page.substr(at, end - at);
    at = end + 1;
    if (!line.starts_with("| ")) {
      cells = 0;
      continue;
    }
    std::size_t n = 0;
    for (std::size_t i = 0; i < line.size(); ++i)
      n += line[i] == '|' && (i == 0 || line[i - 1] != '\\');
    INFO(line);
    CHECK((cells == 0 || n == cells));
    cells = n;
  }
}
