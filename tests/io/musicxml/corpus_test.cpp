#include "io/musicxml/encoding.hpp"
#include "io/musicxml/container/mxl.hpp"
#include "note_table.hpp"
#include "schema_check.hpp"
#include "support.hpp"

#include <catch2/catch.hpp>

#include <set>

namespace musicxml_test::corpus_test {

namespace {

/// A file of the corpus as XML text in UTF-8, whatever it was packed in.
std::string xml_of(const std::string& bytes) {
  std::string text = bytes;
  if (is_zip(bytes)) {
    auto unpacked = unpack_mxl(bytes, std::size_t{1} << 28);
    REQUIRE(unpacked);
    text = *unpacked;
  }
  auto utf8 = as_utf8(text);
  REQUIRE(utf8);
  return utf8->converted.empty() ? std::string{utf8->text} : utf8->converted;
}

pugi::xml_document parsed(const std::string& xml) {
  pugi::xml_document doc;
  REQUIRE(doc.load_string(xml.c_str(), pugi::parse_default | pugi::parse_pi));
  return doc;
}

/// Published without the part list that the schema demands.
bool has_no_parts(const fs::path& file) {
  return file.filename() == "movement-number-and-movement-title-elements.musicxml";
}

/// Element names of which the writer makes its own number, and why.
const std::map<std::string, std::string>& written_anew() {
  static const std::map<std::string, std::string> names{
      {"divisions", "one per part: their least common multiple"},
      {"attributes", "those that held divisions only are gone"},
      {"backup", "places are written from positions"},
      {"forward", "places are written from positions"},
      {"duration", "of backup and forward"},
      {"voice", "of forward"},
      {"staff", "of forward"},
      {"notations", "several of one note become one"},
      {"articulations", "several of one note become one"},
      {"ornaments", "several of one note become one"},
      {"technical", "several of one note become one"},
      {"score-timewise", "written partwise"},
      {"measure", "written partwise"},
      {"part", "written partwise"},
  };
  return names;
}

}  // namespace

TEST_CASE(
    "every file of the corpus comes back with the same notes, and nothing is lost on the way") {
  schema_check schema;
  std::size_t files = 0;
  for (auto& file : corpus_files()) {
    if (has_no_parts(file)) continue;
    INFO(file.string());
    auto bytes = bytes_of(file);
    auto first = read(bytes, file.filename().string());
    if (!first) {
      FAIL(first.error().first().message);
    }
    ++files;

    std::vector<diagnostic> problems;
    auto given = write(*first->score, as_given(), &problems);
    CHECK(messages(problems) == "");
    auto completed = write(*first->score);
    schema.add(file.stem().string(), given);
    schema.add(file.stem().string() + "-completed", completed);

    // The score is the same again, also from text without indentation.
    auto again = read(given, "written");
    REQUIRE(again);
    CHECK(*again->score == *first->score);
    auto compact = as_given();
    compact.pretty = false;
    auto from_compact = read(write(*first->score, compact), "compact");
    REQUIRE(from_compact);
    CHECK(*from_compact->score == *first->score);

    // Writing what was read back changes no byte.
    CHECK(write(*again->score, as_given()) == given);
    auto completed_again = read(completed, "completed");
    REQUIRE(completed_again);
    CHECK(write(*completed_again->score) == completed);

    // The notes, by a reading of their own.
    auto before = parsed(xml_of(bytes)), after = parsed(given);
    CHECK(note_table(after) == note_table(before));

    // The elements. The importer's own report accounts for every one of them.
    std::map<std::string, int> was, is;
    count_elements(before.root(), was);
    count_elements(after.root(), is);
    std::string lost;
    for (auto& [name, count] : was)
      if (is[name] < count && !written_anew().contains(name))
        lost += name + " " + std::to_string(count) + " -> " + std::to_string(is[name]) + "\n";
    CHECK(lost == "");
    std::map<std::string, int> reported;
    for (auto& row : first->report.rows()) {
      reported[row.element] = static_cast<int>(row.typed + row.fragment);
      if (row.element == "comment" || row.element == "processing-instruction") continue;
      INFO(row.element);
      CHECK(row.dropped == 0);
    }
    std::string unaccounted;
    for (auto& [name, count] : was)
      if (reported[name] != count)
        unaccounted += name + " " + std::to_string(count) + " reported " +
                       std::to_string(reported[name]) + "\n";
    CHECK(unaccounted == "");
  }
  // The repository's own part of the corpus alone is that large.
  CHECK(files > 120);
  CHECK(schema.complaints() == "");
}

TEST_CASE("a file without a part list is refused with the place where it is missing") {
  auto file = data_folder() / "w3c/movement-number-and-movement-title-elements.musicxml";
  auto r = read(bytes_of(file), "titles.musicxml");
  REQUIRE(!r);
  CHECK(r.error().first().code == errc::invalid_musicxml);
  CHECK(r.error().first().message ==
        "titles.musicxml: line 2, column 2: <score-partwise>: there is no <part-list>");
}

TEST_CASE("files that the schema refuses are read with a warning and written validly") {
  // SOURCES.txt lists them; each is wrong in one known place.
  struct wrong_file {
    const char* name;
    const char* warning;
  };
  const wrong_file files[] = {
      {"w3c/accordion-middle-element.musicxml",
       "a direction with nothing that MusicXML 4.0 allows"},
      {"w3c/circular-arrow-element.musicxml", "<note/notations/technical/arrow>"},
      {"w3c/interchangeable-element.musicxml", "<attributes/time/interchangeable>"},
      {"w3c/inversion-element.musicxml", "<harmony>"},
      {"w3c/voice-element.musicxml", "MusicXML 4.0 has no bracket=\"none\" here"},
  };
  for (auto& f : files) {
    INFO(f.name);
    auto r = read(bytes_of(data_folder() / f.name), f.name);
    REQUIRE(r);
    CHECK(messages(r->warnings).find(f.warning) != std::string::npos);
    auto written = write(*r->score, as_given());
    CHECK(written.find("<?fermata-") != std::string::npos);
    CHECK(schema_complaints(written) == "");
  }
  // Here only the order of two elements is wrong, which writing puts right.
  auto r = read(bytes_of(data_folder() / "kainhofer/45i-Repeats-Nested.xml"), "45i");
  REQUIRE(r);
  CHECK(messages(r->warnings) == "left out: 8 comments\n");
  CHECK(schema_complaints(write(*r->score, as_given())) == "");
}

}  // namespace musicxml_test::corpus_test
