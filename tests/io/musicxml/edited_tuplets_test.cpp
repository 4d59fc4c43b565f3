#include "core/lang/evaluation/evaluate.hpp"
#include "core/lang/layout/compile.hpp"
#include "core/lang/layout/decompile.hpp"
#include "core/score/edit/edit.hpp"
#include "support.hpp"

#include <catch2/catch.hpp>
#include <pugixml.hpp>

#include <map>
#include <set>

namespace musicxml_test::edited_tuplets_test {

namespace {

/// What is wrong with the tuplet elements of a file: within a voice a number that begins while it
/// is open, or ends while it is not.
std::string fault_in(const std::string& xml) {
  pugi::xml_document doc;
  REQUIRE(doc.load_string(xml.c_str()));
  std::map<std::string, std::set<int>> open;
  for (auto measure : doc.child("score-partwise").child("part").children("measure"))
    for (auto note : measure.children("note"))
      for (auto notations : note.children("notations"))
        for (auto t : notations.children("tuplet")) {
          auto& here = open[note.child("voice").text().as_string()];
          auto number = t.attribute("number").as_int(1);
          std::string where = std::string{"measure "} + measure.attribute("number").value();
          if (std::string_view{t.attribute("type").value()} == "start") {
            if (!here.insert(number).second) return where + ": started twice";
          } else if (here.erase(number) == 0) {
            return where + ": stopped and never started";
          }
        }
  for (auto& [voice, numbers] : open)
    if (!numbers.empty()) return "left open at the end";
  return {};
}

score from_text(const std::string& text) {
  evaluation_request request;
  request.text = text;
  request.env = std::make_shared<const environment>();
  request.score = empty_score();
  request.commit = false;
  auto r = evaluate(request);
  REQUIRE(r);
  auto s = compile_score(*r->values.back().as_music());
  REQUIRE(s);
  return *s;
}

}  // namespace

TEST_CASE("nested tuplets of which one or two notes are deleted are written and read as they are") {
  auto file = data_folder() / "kainhofer" / "23d-Tuplets-Nested.xml";
  auto read_file = read(bytes_of(file), "23d");
  REQUIRE(read_file);
  auto s = read_file->score;
  REQUIRE(fault_in(write(*s)) == "");
  std::vector<item_location> notes;
  for (std::size_t m = 0; m < s->parts[0]->measures.size(); ++m)
    for (std::size_t i = 0; i < s->parts[0]->measures[m]->items.size(); ++i)
      if (std::holds_alternative<chord_rest>(s->parts[0]->measures[m]->items[i].content))
        notes.push_back({0, m, i});
  REQUIRE(notes.size() == 26);  // 9, 12 and 5 in the file
  for (std::size_t a = 0; a < notes.size(); ++a)
    for (auto b = a; b < notes.size(); ++b) {
      auto edited = delete_items(s, {notes[a], notes[b]});
      REQUIRE(edited);
      INFO("notes " << a + 1 << " and " << b + 1);
      auto xml = write(**edited, as_given());
      REQUIRE(fault_in(xml) == "");
      auto again = read(xml, "written");
      REQUIRE(again);
      REQUIRE((*again->score == **edited));
      // Text of each is slow; neighbours and ends have the brackets.
      if (b > a + 1 && b + 1 < notes.size()) continue;
      REQUIRE((from_text(print_score(**edited)) == **edited));
    }
}

}  // namespace musicxml_test::edited_tuplets_test
