#include "support.hpp"

#include <catch2/catch.hpp>

namespace musicxml_test::broken_files_test {

namespace {

std::string c4_note(const std::string& inside) {
  return "<note><pitch><step>C</step><octave>4</octave></pitch>" + inside + "</note>";
}
const std::string quarter = c4_note("<duration>1</duration><voice>1</voice><type>quarter</type>");

struct refused_file {
  const char* what;
  std::string bytes;
  errc code;
  const char* says;  ///< a part of the message
};

struct odd_file {
  const char* what;
  std::string bytes;
  const char* warns;  ///< a part of a warning
};

}  // namespace

TEST_CASE("a file that is no score is refused with the place and the reason") {
  std::string deep;
  for (int i = 0; i < 200; ++i)
    deep += "<b>";
  for (int i = 0; i < 200; ++i)
    deep += "</b>";
  const refused_file files[] = {
      {"nothing", "", errc::invalid_xml, "the file is empty"},
      {"blanks", "  \n ", errc::invalid_xml, "line"},
      {"text", "Sonata in C", errc::invalid_xml, "line 1"},
      {"cut off in a tag", score_around(quarter).substr(0, 150), errc::invalid_xml, "line 3"},
      {"cut off in a measure", score_around(quarter).substr(0, 220), errc::invalid_xml,
       "inside score-partwise"},
      {"a tag that closes another", "<score-partwise>\n<part-list>\n</part></score-partwise>",
       errc::invalid_xml, "line 3, column"},
      {"another kind of document", "<html><body/></html>", errc::invalid_musicxml,
       "<html> is not a MusicXML score"},
      {"no part list", "<score-partwise><part id=\"P1\"/></score-partwise>", errc::invalid_musicxml,
       "there is no <part-list>"},
      {"two parts of one id",
       "<score-partwise><part-list><score-part id=\"P1\"><part-name/></score-part>"
       "<score-part id=\"P1\"><part-name/></score-part></part-list></score-partwise>",
       errc::invalid_musicxml, "duplicate part id \"P1\""},
      {"a part without id",
       "<score-partwise><part-list><score-part><part-name/></score-part></part-list>"
       "</score-partwise>",
       errc::invalid_musicxml, "a part needs an id"},
      {"an entity bomb",
       "<?xml version=\"1.0\"?><!DOCTYPE score-partwise [<!ENTITY a \"aaaa\"><!ENTITY b "
       "\"&a;&a;\">]>" +
           score_around(quarter).substr(39),
       errc::invalid_xml, "entity declarations are not supported"},
      {"an external entity",
       "<?xml version=\"1.0\"?><!DOCTYPE score-partwise [<!ENTITY x SYSTEM "
       "\"file:///etc/passwd\">]>" +
           score_around(
               "<direction><direction-type><words>&x;</words></direction-type></direction>")
               .substr(39),
       errc::invalid_xml, "entity declarations are not supported"},
      {"elements nested without end", score_around(deep), errc::nesting_too_deep,
       "nested too deeply"},
      {"a zero byte", std::string{"<score-partwise>\n\0</score-partwise>", 34}, errc::invalid_xml,
       "line 2, column 1: a zero byte"},
      {"an encoding we do not read",
       "<?xml version=\"1.0\" encoding=\"KOI8-R\"?><score-partwise>\xC1</score-partwise>",
       errc::invalid_xml, "\"koi8-r\" is not read"},
      {"UTF-16 cut in the middle of a character", std::string{"\xFF\xFE<\0s", 5}, errc::invalid_xml,
       "invalid UTF-16"},
      {"a zip that is none", "PK\x03\x04 and nothing more", errc::invalid_musicxml, "damaged"},
      {"lengths beyond all numbers",
       score_around("<attributes><divisions>9223372036854775807</divisions></attributes>" +
                    c4_note("<duration>1</duration>") +
                    "<attributes><divisions>9223372036854775783</divisions></attributes>" +
                    c4_note("<duration>1</duration>")),
       errc::number_too_large, "part P1, measure 1"},
  };
  for (auto& f : files) {
    INFO(f.what);
    auto r = read(f.bytes, "file.musicxml");
    REQUIRE(!r);
    CHECK(r.error().first().code == f.code);
    INFO(r.error().first().message);
    CHECK(r.error().first().message.starts_with("file.musicxml: "));
    CHECK(r.error().first().message.find(f.says) != std::string::npos);
  }
}

TEST_CASE("an odd file is read, told of, and written validly") {
  std::string tuplets;
  for (int i = 1; i <= 10; ++i)
    tuplets += "<tuplet type=\"start\" number=\"" + std::to_string(i) + "\"/>";
  const odd_file files[] = {
      {"a negative duration", score_around(c4_note("<duration>-4</duration><type>half</type>")),
       "negative duration"},
      {"a duration in words", score_around(c4_note("<duration>long</duration><type>half</type>")),
       "invalid duration"},
      {"no duration", score_around(c4_note("<type>half</type>")), "no duration"},
      {"a note of no time", score_around(c4_note("<duration>0</duration>")), "takes no time"},
      {"divisions of zero",
       score_around("<attributes><divisions>0</divisions></attributes>" + quarter),
       "divisions must be greater than zero"},
      {"a backup beyond the beginning",
       score_around(quarter + "<backup><duration>9</duration></backup>" + quarter),
       "past the start of the measure"},
      {"a voice over itself",
       score_around(quarter + "<backup><duration>1</duration></backup>" + quarter),
       "voice 1 overlaps itself"},
      {"a chord without a first note",
       score_around("<note><chord/><pitch><step>C</step><octave>4</octave></pitch>"
                    "<duration>1</duration></note>"),
       "<chord/> without a note before it"},
      {"a pitch beyond the staff",
       score_around("<note><pitch><step>H</step><octave>4</octave></pitch>"
                    "<duration>1</duration></note>"),
       "not a pitch"},
      {"an unknown instrument",
       score_around(c4_note("<duration>1</duration><instrument id=\"X\"/>")),
       "no instrument has the id \"X\""},
      {"an unknown part",
       "<score-partwise><part-list><score-part id=\"P1\"><part-name/></score-part></part-list>"
       "<part id=\"P9\"><measure number=\"1\"/></part></score-partwise>",
       "the part list has no part with the id \"P9\""},
      {"a listed part without music",
       "<score-partwise><part-list><score-part id=\"P1\"><part-name/></score-part></part-list>"
       "</score-partwise>",
       "is listed but has no music"},
      {"ending number zero",
       score_around(quarter + "<barline><ending number=\"0\" type=\"start\"/></barline>"),
       "\"0\" is not a valid ending number"},
      {"an element nobody knows", score_around(quarter + "<sparkle size=\"3\">bright</sparkle>"),
       "a measure does not have this element"},
      {"an attribute nobody knows",
       score_around(c4_note("<duration>1</duration><stem mood=\"up\">up</stem>")),
       "MusicXML 4.0 has no mood=\"up\" here"},
      {"text between elements", score_around(quarter + "what?" + quarter), "text between elements"},
      {"bytes that are not UTF-8",
       score_around("<direction><direction-type><words>Gr\xFC\xDF"
                    "e</words></direction-type></direction>"),
       "reading it as ISO-8859-1"},
  };
  for (auto& f : files) {
    INFO(f.what);
    auto r = read(f.bytes, "odd.musicxml");
    REQUIRE(r);
    INFO(messages(r->warnings));
    CHECK(messages(r->warnings).find(f.warns) != std::string::npos);
    auto written = write(*r->score, as_given());
    auto again = read(written, "again");
    REQUIRE(again);
    CHECK(write(*again->score, as_given()) == written);
  }
  // Odd, but right: nothing to tell.
  const std::string right[] = {
      score_around("<note><rest/><duration>1</duration><notations>" + tuplets +
                   "</notations></note>"),
      std::string{
          "<score-partwise><part-list><score-part id=\"P1\"><part-name/></score-part>"
          "</part-list><part id=\"P1\"><measure number=\"X1\"/><measure number=\"\"/></part>"
          "</score-partwise>"},
  };
  for (auto& bytes : right) {
    auto r = read(bytes, "right");
    REQUIRE(r);
    CHECK(messages(r->warnings) == "");
  }
}

TEST_CASE("a warning says line, column, measure and element") {
  auto r = read(score_around("\n<attributes><divisions>0</divisions></attributes>" + quarter), "x");
  REQUIRE(r);
  REQUIRE(r->warnings.size() == 1);
  CHECK(r->warnings.front().message ==
        "line 5, column 14: part P1, measure 1, <attributes/divisions>: divisions must be greater "
        "than zero; the previous value stays in force");
}

TEST_CASE("a file larger than the limit is refused before it is looked at") {
  read_limits limits;
  limits.bytes = 100;
  auto r = read(score_around(quarter), "large", limits);
  REQUIRE(!r);
  CHECK(r.error().first().code == errc::input_too_large);
}

TEST_CASE("warnings are listed up to a limit and then counted") {
  read_limits limits;
  limits.warnings = 3;
  std::string many;
  for (int i = 0; i < 10; ++i)
    many += c4_note("<type>quarter</type>");
  auto r = read(score_around(many), "many", limits);
  REQUIRE(r);
  CHECK(r->warnings.size() == 4);
  CHECK(r->warnings.back().message == "and 7 more warnings");
}

}  // namespace musicxml_test::broken_files_test
