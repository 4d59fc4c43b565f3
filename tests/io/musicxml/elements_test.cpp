#include "core/score/model/kept_elements.hpp"
#include "io/musicxml/schema.hpp"
#include "schema_check.hpp"
#include "support.hpp"
#include "tests/support/doc_page.hpp"

#include <catch2/catch.hpp>
#include <pugixml.hpp>

#include <map>
#include <set>

namespace musicxml_test::elements_test {

namespace {

struct element_fate {
  std::uint64_t typed = 0, fragment = 0, dropped = 0;
};

/// What becomes of each element name in the repository's own files, which have every name of the
/// schema at least once.
std::map<std::string, element_fate> fates() {
  std::map<std::string, element_fate> found;
  for (auto& e : schema_elements())
    found[std::string{e.name}];
  for (auto& entry : fs::recursive_directory_iterator(data_folder())) {
    auto file = entry.path();
    if (file.extension() != ".musicxml" && file.extension() != ".xml") continue;
    auto r = read(bytes_of(file), file.filename().string());
    if (!r) continue;  // one file has no part list
    for (auto& row : r->report.rows()) {
      if (!found.contains(row.element)) continue;  // comments and instructions of others
      auto& f = found[row.element];
      f.typed += row.typed;
      f.fragment += row.fragment;
      f.dropped += row.dropped;
    }
  }
  return found;
}

std::string table() {
  auto text = std::string{
      "# MusicXML elements\n\n"
      "What reading does with each of the 442 element names of MusicXML 4.0. This page is "
      "generated:\n"
      "`FERMATA_WRITE_DOCS=1 build/release/bin/tests_io \"the table of elements*\"`. The counts "
      "are those\n"
      "of the files in `tests/data/musicxml`.\n\n"
      "- **typed**: understood; a value of the score, or implied by one.\n"
      "- **XML**: kept as an XML fragment in its place and written back unchanged.\n"
      "- **both**: typed in the usual case; kept as XML where it holds more than its type, or "
      "stands\n"
      "  inside an element that is kept whole.\n\n"
      "No element is lost. Written anew, by count, are `divisions`, `backup`, `forward` and the "
      "groups of\n"
      "`notations`; comments and processing instructions of other programs are counted, not "
      "kept.\n\n"
      "The other columns say what each edit does to an element that is kept as XML. In an empty "
      "cell the\n"
      "edit leaves it unchanged with its note or measure. Typed elements are edited themselves.\n\n"
      "- **change**: adapted. The key of a numeral is transposed, the two ends of a pair are "
      "swapped, an end\n"
      "  whose other end goes is removed with a remark, offsets are scaled, and staff details move "
      "to where\n"
      "  they still apply.\n"
      "- **drop**: removed, with a remark, because the edit contradicts it. Where an element is "
      "kept with its\n"
      "  children, `drop` for one of them applies to all, and otherwise `change` does.\n\n"
      "*augment* includes diminish; *cut* is what delete, replace and edit remove from a "
      "score.\n"
      "Transposing by octaves changes no note names, so it drops only fingerings.\n\n"
      "| element | fate | typed | as XML | transpose | invert | retrograde | rotate | augment | "
      "cut "
      "|\n|---|---|---:|---:|---|---|---|---|---|---|\n"};
  std::map<std::string, int> totals;
  for (auto& [name, f] : fates()) {
    auto word = f.dropped > 0                   ? "LOST"
                : f.typed > 0 && f.fragment > 0 ? "both"
                : f.typed > 0                   ? "typed"
                : f.fragment > 0                ? "XML"
                                                : "never seen";
    ++totals[word];
    text += "| " + name + " | " + word + " | " + std::to_string(f.typed) + " | " +
            std::to_string(f.fragment) + " |";
    auto row = find_kept_row(name);
    for (auto fate : row->fates)
      text += f.fragment == 0 || fate == kept_fate::keep
                  ? " |"
                  : " " + std::string{to_string(fate)} + " |";
    text += "\n";
  }
  text += "\n";
  for (auto& [word, count] : totals)
    text += std::string{word} + ": " + std::to_string(count) + "  \n";
  return text;
}

}  // namespace

TEST_CASE("the table of elements in the documentation is current") {
  fermata::test::check_page("musicxml-elements.md", table());
}

TEST_CASE("the table of kept elements has a row for every element of the schema, and no other") {
  std::vector<std::string_view> names, rows;
  for (auto& e : schema_elements())
    names.push_back(e.name);
  for (auto& row : kept_table())
    rows.push_back(row.element);
  CHECK(rows == names);
}

TEST_CASE("every element of the schema is met in the test files, and none is lost") {
  for (auto& [name, f] : fates()) {
    INFO(name);
    CHECK(f.typed + f.fragment > 0);
    CHECK(f.dropped == 0);
  }
}

TEST_CASE("the table of the schema has every name of musicxml.xsd") {
  pugi::xml_document xsd;
  auto file = fs::path{FERMATA_TEST_DATA} / "xsd" / "musicxml.xsd";
  REQUIRE(xsd.load_file(file.c_str()));
  std::set<std::string> names;
  for (auto& found : xsd.select_nodes("//xs:element[@name]"))
    names.insert(found.node().attribute("name").value());
  CHECK(names.size() == 442);  // counted in the schema of 2021
  std::set<std::string> ours;
  for (auto& e : schema_elements())
    ours.insert(std::string{e.name});
  CHECK(ours == names);
}

TEST_CASE("attributes of the table are those of musicxml.xsd") {
  // Spot checks against the text of the schema, one per kind of declaration.
  CHECK(is_valid_attribute("note", "default-x", "-12.5"));   // attribute group in a group
  CHECK(is_valid_attribute("heel", "substitution", "yes"));  // extension of empty-placement
  CHECK(is_valid_attribute("lyric", "number", "verse-2"));   // NMTOKEN
  CHECK(!is_valid_attribute("lyric", "number", "verse 2"));
  CHECK(is_valid_attribute("link", "xlink:href", "a.xml"));  // imported module
  CHECK(!is_valid_attribute("accidental-mark", "cautionary", "yes"));
  CHECK(!is_valid_attribute("tuplet", "bracket", "none"));
}

TEST_CASE("values are judged as the schema judges them") {
  struct row {
    const char *element, *text;
    bool valid;
  };
  const row rows[] = {
      {"octave", "9", true},
      {"octave", "10", false},
      {"octave", "-1", false},
      {"alter", "-0.5", true},
      {"alter", ".5", true},
      {"alter", "1e3", false},
      {"duration", "0", false},
      {"duration", "0.25", true},
      {"fermata", "", true},
      {"fermata", "angled", true},
      {"fermata", "round", false},
      {"type", "eighth", true},
      {"type", "8th", false},
      {"beam", "forward hook", true},
      {"midi-program", "0", false},
      {"midi-program", "128", true},
      {"tremolo", "8", true},
      {"tremolo", "9", false},
      {"encoding-date", "2024-02-29", true},
      {"encoding-date", "2023-02-29", false},
      {"ensemble", "", true},
      {"ensemble", "4", true},
      {"chord", "x", false},
      {"words", "anything at all", true},
      {"pan", "-180", true},
      {"pan", "-181", false},
  };
  for (auto& r : rows) {
    INFO(r.element << " \"" << r.text << "\"");
    CHECK(is_valid_text(r.element, r.text) == r.valid);
  }
  struct attribute_row {
    const char *element, *name, *value;
    bool valid;
  };
  const attribute_row attributes[] = {
      {"ending", "number", "1, 2", true},       {"ending", "number", "0, 1, 5", false},
      {"ending", "number", " ", true},          {"words", "font-size", "10.25", true},
      {"words", "font-size", "xx-small", true}, {"words", "font-size", "huge", false},
      {"words", "color", "#FF0000", true},      {"words", "color", "red", false},
      {"coda", "smufl", "codaSquare", true},    {"coda", "smufl", "segno", false},
      {"sound", "time-only", "1,3", true},      {"sound", "damper-pedal", "yes", true},
      {"sound", "damper-pedal", "62.5", true},  {"sound", "damper-pedal", "half", false},
      {"directive", "xml:lang", "it-IT", true}, {"directive", "xml:lang", "it_IT", false},
  };
  for (auto& r : attributes) {
    INFO(r.element << " " << r.name << "=\"" << r.value << "\"");
    CHECK(is_valid_attribute(r.element, r.name, r.value) == r.valid);
  }
}

TEST_CASE("children are followed in the order of the schema") {
  auto accepts = [](const char* parent, std::vector<const char*> children) {
    child_sequence sequence{*find_schema_element(parent)};
    for (auto* child : children)
      if (!sequence.take(child)) return false;
    return sequence.complete();
  };
  CHECK(accepts("note", {"pitch", "duration", "voice", "type", "dot", "dot", "beam", "notations"}));
  CHECK(accepts("note", {"grace", "chord", "pitch", "tie", "tie", "voice"}));
  CHECK(!accepts("note", {"grace", "pitch", "duration"}));
  CHECK(!accepts("note", {"pitch", "voice", "duration"}));
  CHECK(!accepts("note", {"pitch"}));
  CHECK(accepts("barline", {"bar-style", "fermata", "fermata", "ending", "repeat"}));
  CHECK(!accepts("barline", {"ending", "ending"}));
  CHECK(accepts("bend", {"bend-alter", "release", "with-bar"}));
  CHECK(!accepts("bend", {}));
}

}  // namespace musicxml_test::elements_test
