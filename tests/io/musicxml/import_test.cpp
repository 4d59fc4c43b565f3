#include "schema_check.hpp"
#include "support.hpp"

#include <catch2/catch.hpp>

namespace musicxml_test::import_test {

namespace {

import_result read_ok(const std::string& xml) {
  auto r = read(xml, "test");
  if (!r) {
    FAIL(r.error().first().message);
  }
  return std::move(*r);
}

std::string xml_note(const std::string& pitch, const std::string& inside) {
  return "<note><pitch><step>" + pitch.substr(0, 1) + "</step><octave>" + pitch.substr(1) +
         "</octave></pitch>" + inside + "</note>";
}
const std::string four_divisions = "<attributes><divisions>4</divisions></attributes>";

/// The k-th item of the measure that has type T.
template <class T>
const T& item_of(const measure& m, std::size_t k = 0) {
  for (auto& item : m.items)
    if (auto* x = std::get_if<T>(&item.content))
      if (k-- == 0) return *x;
  throw std::out_of_range("no such item");
}

}  // namespace

TEST_CASE("the duration decides how long a note is, whatever its type says") {
  auto r = read_ok(score_around(four_divisions +
                                xml_note("C4", "<duration>3</duration><type>half</type>") +
                                xml_note("D4", "<duration>1</duration>")));
  auto m = first_measure(r);
  auto chords = chords_of(m);
  CHECK(chords[0]->length == quarters{rational{3, 4}});
  CHECK(chords[0]->written == note_value{note_base::half, 0});
  CHECK(m.items[1].at == measure_position{rational{3, 4}});
  CHECK(!chords[1]->written);
}

TEST_CASE("divisions may change in the middle of a measure") {
  auto r = read_ok(score_around(four_divisions + xml_note("C4", "<duration>4</duration>") +
                                "<attributes><divisions>6</divisions></attributes>" +
                                xml_note("D4", "<duration>2</duration>")));
  auto m = first_measure(r);
  CHECK(m.items[1].at == measure_position{rational{1}});
  CHECK(chords_of(m)[1]->length == quarters{rational{1, 3}});
}

TEST_CASE("voices lie one after another by position, gaps stay gaps") {
  // Voice 2 is written between two notes of voice 1.
  auto v = [](const char* n) { return "<voice>" + std::string{n} + "</voice>"; };
  auto r = read_ok(score_around(
      four_divisions + xml_note("C5", "<duration>4</duration>" + v("1")) +
      "<backup><duration>4</duration></backup><forward><duration>2</duration></forward>" +
      xml_note("C4", "<duration>2</duration>" + v("2")) +
      xml_note("D5", "<duration>4</duration>" + v("1")) +
      "<forward><duration>4</duration></forward>"));
  auto m = first_measure(r);
  auto chords = chords_of(m);
  REQUIRE(chords.size() == 3);
  CHECK(voices(m) == std::vector<std::string>{"1", "2"});
  CHECK(std::get<pitch>(chords[1]->notes[0].tone).letter == step::d);
  CHECK(m.items[2].at == measure_position{rational{1, 2}});
  CHECK(m.padded_to == measure_position{rational{3}});
  CHECK(extent(m) == quarters{rational{3}});
}

TEST_CASE("notes of a chord are collected, also with elements between them and across voices") {
  auto r = read_ok(score_around(
      four_divisions + xml_note("C4", "<duration>4</duration><voice>1</voice><staff>1</staff>") +
      "<direction><direction-type><words>between</words></direction-type></direction>"
      "<note><chord/><pitch><step>E</step><octave>4</octave></pitch><duration>2</duration>"
      "<voice>2</voice><staff>2</staff></note>"));
  auto m = first_measure(r);
  auto chords = chords_of(m);
  REQUIRE(chords.size() == 1);
  REQUIRE(chords[0]->notes.size() == 2);
  auto& second = chords[0]->notes[1];
  REQUIRE(second.differs);
  CHECK(second.differs->length == quarters{rational{1, 2}});
  CHECK(second.differs->voice == "2");
  CHECK(second.differs->staff == 2);
}

TEST_CASE(
    "tuplets count with their time modification, nested ones multiply, with brackets or without") {
  auto modified = [](int actual, int normal, const std::string& notations) {
    return "<duration>4</duration><type>eighth</type><time-modification><actual-notes>" +
           std::to_string(actual) + "</actual-notes><normal-notes>" + std::to_string(normal) +
           "</normal-notes></time-modification>" + notations;
  };
  auto r = read_ok(score_around(
      "<attributes><divisions>12</divisions></attributes>" + xml_note("C4", modified(3, 2, "")) +
      xml_note("C4", modified(15, 4,
                              "<notations><tuplet type=\"start\" number=\"2\" bracket=\"no\">"
                              "<tuplet-actual><tuplet-number>5</tuplet-number></tuplet-actual>"
                              "</tuplet></notations>"))));
  auto m = first_measure(r);
  auto chords = chords_of(m);
  CHECK(chords[0]->length == quarters{rational{1, 3}});
  CHECK(chords[0]->tuplet == time_modification{3, 2, {}});
  CHECK(chords[0]->notes[0].spanners.empty());
  CHECK(chords[1]->tuplet == time_modification{15, 4, {}});
  auto& bracket = chords[1]->notes[0].spanners.at(0);
  CHECK(bracket.kind == spanner_kind::tuplet);
  CHECK(bracket.number == 2);
  CHECK(bracket.extra->children.at(0).xml ==
        "<tuplet-actual><tuplet-number>5</tuplet-number></tuplet-actual>");
}

TEST_CASE("a tie that sounds and is drawn is one thing, each alone is told apart") {
  auto r = read_ok(score_around(
      xml_note("C4", "<duration>1</duration><tie type=\"start\"/><notations><tied "
                     "type=\"start\"/></notations>") +
      xml_note("C4", "<duration>1</duration><tie type=\"stop\"/>") +
      xml_note("C4", "<duration>1</duration><notations><tied type=\"start\"/></notations>") +
      xml_note("C4", "<duration>1</duration><tie type=\"start\"/><notations>"
                     "<tied type=\"start\" placement=\"above\"/></notations>") +
      xml_note("C4", "<duration>1</duration><notations><tied type=\"let-ring\"/></notations>")));
  auto m = first_measure(r);
  auto chords = chords_of(m);
  auto& both = chords[0]->notes[0];
  CHECK(both.tie == tie_ends{true, false, false, false});
  CHECK(both.spanners.empty());
  CHECK(chords[1]->notes[0].tie == tie_ends{false, true, false, true});
  CHECK(chords[2]->notes[0].tie == tie_ends{});
  CHECK(chords[2]->notes[0].spanners.at(0).kind == spanner_kind::tied);
  CHECK(chords[3]->notes[0].tie.start);
  CHECK(chords[3]->notes[0].spanners.at(0).extra->attributes.at(0).first == "placement");
  CHECK(chords[4]->notes[0].spanners.at(0).end == span_end::let_ring);
}

TEST_CASE("pitches keep quarter tones exactly and finer ones as they are spelt") {
  auto alter = [](const std::string& text) {
    return "<note><pitch><step>B</step><alter>" + text +
           "</alter><octave>3</octave></pitch><duration>1</duration></note>";
  };
  auto r = read_ok(score_around(alter("-1") + alter("0.5") + alter("-1.333333") + alter("0")));
  auto m = first_measure(r);
  auto chords = chords_of(m);
  auto cents = [&](std::size_t i) { return std::get<pitch>(chords[i]->notes[0].tone).cents; };
  CHECK(cents(0) == -100);
  CHECK(cents(1) == 50);
  CHECK(cents(2) == -133);
  auto written = write(*r.score, as_given());
  CHECK(written.find("<alter>-1.333333</alter>") != std::string::npos);
  CHECK(written.find("<alter>0</alter>") != std::string::npos);
}

TEST_CASE("keys, times and clefs are typed, also odd ones") {
  auto r = read_ok(score_around(
      "<attributes><divisions>1</divisions>"
      "<key number=\"1\"><cancel "
      "location=\"left\">-2</cancel><fifths>3</fifths><mode>minor</mode></key>"
      "<key number=\"2\"><key-step>F</key-step><key-alter>1.5</key-alter>"
      "<key-accidental>three-quarters-sharp</key-accidental>"
      "<key-octave number=\"1\">5</key-octave></key>"
      "<time symbol=\"single-number\"><beats>3+2</beats><beat-type>8</beat-type>"
      "<beats>3</beats><beat-type>4</beat-type></time>"
      "<staves>2</staves>"
      "<clef "
      "number=\"1\"><sign>G</sign><line>2</line><clef-octave-change>-1</clef-octave-change></clef>"
      "<clef number=\"2\"><sign>TAB</sign><line>5</line></clef>"
      "<transpose><diatonic>-1</diatonic><chromatic>-2</chromatic><octave-change>-1</octave-change>"
      "<double/></transpose>"
      "<measure-style><multiple-rest>7</multiple-rest></measure-style></attributes>"));
  auto m = first_measure(r);
  auto& a = item_of<attributes>(m);
  REQUIRE(a.keys.size() == 2);
  CHECK(a.keys[0].staff == 1);
  CHECK(a.keys[0].value.fifths == 3);
  CHECK(a.keys[0].value.mode == mode::minor);
  CHECK(a.keys[0].value.cancel == -2);
  CHECK(a.keys[1].value.alterations.at(0).name == pitch_name{step::f, 150});
  REQUIRE(a.times.at(0).value.fractions.size() == 2);
  CHECK(a.times[0].value.fractions[0].beats == std::vector<int>{3, 2});
  CHECK(measure_length(a.times[0].value) == quarters{rational{11, 2}});
  CHECK(a.staves == 2);
  CHECK(a.clefs.at(0).value == clef{"G", 2, -1});
  CHECK(a.clefs.at(1).value == clef{"TAB", 5, 0});
  CHECK(a.transpositions.at(0).value.octaves == -1);
  CHECK(a.transpositions.at(0).value.doubled);
  CHECK(a.multiple_rest == 7);
  CHECK(a.others.empty());
}

TEST_CASE("directions keep their words to the letter, their offset and what is beside them") {
  auto r = read_ok(score_around(
      four_divisions +
      "<direction placement=\"below\"><direction-type><words xml:space=\"preserve\">  dim. &amp; "
      "<![CDATA[<rit.>]]> </words></direction-type><direction-type><wedge type=\"diminuendo\" "
      "number=\"2\" niente=\"yes\"/></direction-type><offset>-6</offset><voice>2</voice>"
      "<staff>2</staff><sound dynamics=\"71\"/></direction>"));
  auto m = first_measure(r);
  auto& d = item_of<direction>(m);
  REQUIRE(d.types.size() == 2);
  CHECK(std::get<words>(d.types[0]).text == "  dim. & <rit.> ");
  CHECK(std::get<wedge>(d.types[1]).number == 2);
  CHECK(d.placement == "below");
  CHECK(d.offset == quarters{rational{-3, 2}});
  CHECK(d.voice == "2");
  CHECK(d.staff == 2);
  CHECK(d.sound->attribute("dynamics") == "71");
}

TEST_CASE("words that share one direction-type stay together") {
  auto xml =
      score_around("<direction><direction-type><words>poco</words><words>a poco</words>"
                   "</direction-type><direction-type><dynamics><p/></dynamics></direction-type>"
                   "</direction>");
  auto r = read_ok(xml);
  auto m = first_measure(r);
  CHECK(item_of<direction>(m).grouping == std::vector<std::uint8_t>{2, 1});
  auto written = write(*r.score, as_given());
  auto types = 0;
  for (auto p = written.find("<direction-type>"); p != std::string::npos;
       p = written.find("<direction-type>", p + 1))
    ++types;
  CHECK(types == 2);
}

TEST_CASE("lyrics keep syllables, elisions and extensions") {
  auto r = read_ok(score_around(xml_note(
      "C4",
      "<duration>1</duration><lyric number=\"2\" name=\"verse\" default-y=\"-80\">"
      "<syllabic>end</syllabic><text font-style=\"italic\">co</text><elision>\xE2\x80\xBF</elision>"
      "<syllabic>begin</syllabic><text>a</text><extend type=\"start\"/></lyric>"
      "<lyric><humming/></lyric>")));
  auto m = first_measure(r);
  auto& lyrics = chords_of(m)[0]->notes[0].lyrics;
  REQUIRE(lyrics.size() == 2);
  CHECK(lyrics[0].number == "2");
  REQUIRE(lyrics[0].syllables.size() == 2);
  CHECK(lyrics[0].syllables[0].syllabic == "end");
  CHECK(lyrics[0].syllables[1].elision == "\xE2\x80\xBF");
  CHECK(lyrics[0].syllables[1].text == "a");
  CHECK(lyrics[0].extend == "start");
  CHECK(lyrics[1].humming);
}

TEST_CASE("chord symbols and figures are typed, with their offset and length in quarters") {
  auto r = read_ok(score_around(
      four_divisions +
      "<harmony><root><root-step>B</root-step><root-alter>-1</root-alter></root>"
      "<kind text=\"maj7\">major-seventh</kind><inversion>1</inversion>"
      "<bass><bass-step>D</bass-step></bass><degree><degree-value>11</degree-value>"
      "<degree-alter>1</degree-alter><degree-type>add</degree-type></degree><offset>2</offset></"
      "harmony>"
      "<figured-bass "
      "parentheses=\"yes\"><figure><prefix>sharp</prefix><figure-number>6</figure-number>"
      "</figure><duration>2</duration></figured-bass>" +
      xml_note("C4", "<duration>4</duration>")));
  auto m = first_measure(r);
  auto& h = item_of<harmony>(m);
  CHECK(h.root == pitch_name{step::b, -100});
  CHECK(h.kind == "major-seventh");
  CHECK(h.kind_text == "maj7");
  CHECK(h.bass == pitch_name{step::d, 0});
  CHECK(h.inversion == 1);
  CHECK(h.degrees.at(0).value == 11);
  CHECK(h.degrees.at(0).cents == 100);
  CHECK(h.offset == quarters{rational{1, 2}});
  auto& f = item_of<figured_bass>(m);
  CHECK(f.figures.at(0).number == "6");
  CHECK(f.length == quarters{rational{1, 2}});
  CHECK(f.parentheses);
}

TEST_CASE("repeats, endings and jumps are typed") {
  auto r = read_ok(score_around(
      "<barline location=\"left\"><bar-style>heavy-light</bar-style><segno/>"
      "<ending number=\"1, 2\" type=\"start\">1. and 2.</ending>"
      "<repeat direction=\"forward\"/></barline>" +
      xml_note("C4", "<duration>1</duration>") +
      "<sound dacapo=\"yes\"/><barline><ending number=\"1,2\" type=\"stop\" print-object=\"no\"/>"
      "<repeat direction=\"backward\" times=\"3\" after-jump=\"yes\" "
      "winged=\"curved\"/></barline>"));
  auto m = first_measure(r);
  auto& left = item_of<barline>(m);
  CHECK(left.location == "left");
  CHECK(left.style == "heavy-light");
  CHECK(left.ending_numbers == "1, 2");
  CHECK(left.ending_text == "1. and 2.");
  CHECK(left.repeat == "forward");
  CHECK(left.extra->children.at(0).xml == "<segno/>");
  auto& right = item_of<barline>(m, 1);
  CHECK(right.repeat_times == 3);
  CHECK(right.after_jump == "yes");
  CHECK(item_of<sound>(m).attribute("dacapo") == "yes");
}

TEST_CASE("parts, groups, instruments and titles are read") {
  auto r = read_ok(
      "<score-partwise version=\"2.0\"><work><work-title>Sonata</work-title></work>"
      "<movement-title>Largo</movement-title><identification><creator type=\"composer\">A. "
      "B.</creator>"
      "</identification><part-list><part-group number=\"1\" "
      "type=\"start\"><group-name>Strings</group-name>"
      "<group-symbol>bracket</group-symbol></part-group>"
      "<score-part id=\"P1\"><part-name print-object=\"no\">Violin</part-name>"
      "<part-abbreviation>Vln.</part-abbreviation><score-instrument id=\"I1\">"
      "<instrument-name>Violin</instrument-name></score-instrument><midi-instrument id=\"I1\">"
      "<midi-channel>3</midi-channel><midi-program>41</midi-program><volume>80</volume>"
      "</midi-instrument></score-part><part-group number=\"1\" type=\"stop\"/></part-list>"
      "<part id=\"P1\"><measure number=\"0\" implicit=\"yes\" "
      "width=\"99.5\"/></part></score-partwise>");
  auto& s = *r.score;
  CHECK(s.header.work_title == "Sonata");
  CHECK(s.header.movement_title == "Largo");
  CHECK(s.header.creators.at(0).type == "composer");
  REQUIRE(s.part_list.size() == 3);
  CHECK(std::get<part_group>(s.part_list[0]).symbol == "bracket");
  CHECK(std::get<std::size_t>(s.part_list[1]) == 0);
  auto& violin = *s.parts.at(0);
  CHECK(violin.name == "Violin");
  CHECK(violin.abbreviation == "Vln.");
  CHECK(violin.instruments.at(0).midi_program == 41);
  CHECK(violin.instruments.at(0).volume == "80");
  CHECK(violin.measures.at(0)->implicit);
  CHECK(violin.measures.at(0)->extra->attributes.at(0) ==
        std::pair<std::string, std::string>{"width", "99.5"});
  CHECK(messages(r.warnings) == "");
}

TEST_CASE("a timewise score reads like the same music partwise") {
  auto timewise =
      read_ok("<score-timewise><part-list><score-part id=\"P1\"><part-name/></score-part>"
              "<score-part id=\"P2\"><part-name/></score-part></part-list>"
              "<measure number=\"1\"><part id=\"P1\">" +
              xml_note("C4", "<duration>1</duration>") +
              "</part>"
              "<part id=\"P2\">" +
              xml_note("E4", "<duration>1</duration>") +
              "</part></measure>"
              "<measure number=\"2\"><part id=\"P1\">" +
              xml_note("D4", "<duration>1</duration>") +
              "</part>"
              "<part id=\"P2\">" +
              xml_note("F4", "<duration>1</duration>") + "</part></measure></score-timewise>");
  auto partwise =
      read_ok("<score-partwise><part-list><score-part id=\"P1\"><part-name/></score-part>"
              "<score-part id=\"P2\"><part-name/></score-part></part-list>"
              "<part id=\"P1\"><measure number=\"1\">" +
              xml_note("C4", "<duration>1</duration>") +
              "</measure>"
              "<measure number=\"2\">" +
              xml_note("D4", "<duration>1</duration>") +
              "</measure></part>"
              "<part id=\"P2\"><measure number=\"1\">" +
              xml_note("E4", "<duration>1</duration>") +
              "</measure>"
              "<measure number=\"2\">" +
              xml_note("F4", "<duration>1</duration>") +
              "</measure></part>"
              "</score-partwise>");
  CHECK(*timewise.score == *partwise.score);
}

TEST_CASE("a part that a timewise measure does not mention has an empty measure there") {
  auto list = std::string{"<part-list><score-part id=\"P1\"><part-name/></score-part>"
                          "<score-part id=\"P2\"><part-name/></score-part></part-list>"};
  auto note = [](const char* pitch) { return xml_note(pitch, "<duration>1</duration>"); };
  auto in_part = [](const char* id, const std::string& music) {
    return "<part id=\"" + std::string{id} + "\">" + music + "</part>";
  };
  auto numbered = [](const char* number, const std::string& music) {
    return "<measure number=\"" + std::string{number} + "\">" + music + "</measure>";
  };
  auto timewise = read_ok("<score-timewise>" + list + numbered("1", in_part("P1", note("C4"))) +
                          numbered("2", in_part("P1", note("D4")) + in_part("P2", note("F4"))) +
                          numbered("3", in_part("P1", note("E4"))) + "</score-timewise>");
  auto partwise =
      read_ok("<score-partwise>" + list +
              in_part("P1", numbered("1", note("C4")) + numbered("2", note("D4")) +
                                numbered("3", note("E4"))) +
              in_part("P2", numbered("1", "") + numbered("2", note("F4")) + numbered("3", "")) +
              "</score-partwise>");
  CHECK(*timewise.score == *partwise.score);

  auto twice = read("<score-timewise>" + list +
                        numbered("1", in_part("P1", note("C4")) + in_part("P1", note("D4"))) +
                        "</score-timewise>",
                    "x.musicxml");
  REQUIRE_FALSE(twice);
  CHECK(twice.error().first().message.find("\"P1\" appears twice in one measure") !=
        std::string::npos);
}

TEST_CASE("what is counted in divisions keeps its length when the divisions change") {
  auto r = read_ok(score_around(
      "<attributes><divisions>8</divisions></attributes>"
      "<note attack=\"-2\" release=\"1\"><pitch><step>C</step><octave>4</octave></pitch>"
      "<duration>8</duration></note>"
      "<listening><sync type=\"tempo\"/><offset>4</offset></listening>"));
  auto m = first_measure(r);
  auto& attributes_of_note = chords_of(m)[0]->notes[0].extra->attributes;
  CHECK(attributes_of_note.at(0).second == "-1/4");
  CHECK(attributes_of_note.at(1).second == "1/8");
  CHECK(item_of<fragment>(m).xml.find("<offset>1/2</offset>") != std::string::npos);
  auto written = write(*r.score, as_given());
  CHECK(written.find("attack=\"-2\"") != std::string::npos);
  CHECK(written.find("<offset>4</offset>") != std::string::npos);
}

TEST_CASE("the report says what was understood and what was kept as XML, and where") {
  auto r = read_ok(
      score_around(xml_note("C4", "<duration>1</duration>") +
                   "<link xlink:href=\"other.xml\" xmlns:xlink=\"http://www.w3.org/1999/xlink\"/>"
                   "<sparkle/>"));
  CHECK(r.report.total(fate::dropped) == 0);
  auto text = r.report.text();
  CHECK(text.find("link: kept as XML 1: P1 measure 1\n") != std::string::npos);
  CHECK(text.find("sparkle: kept as XML 1: P1 measure 1\n") != std::string::npos);
  CHECK(text.find("note:") == std::string::npos);
  CHECK(r.report.text(true).find("note: typed 1\n") != std::string::npos);
  CHECK(r.report.json().find(
            "{\"name\":\"link\",\"typed\":0,\"fragment\":1,\"dropped\":0,"
            "\"fragment_places\":[{\"part\":\"P1\",\"measure\":\"1\",\"count\":1}]") !=
        std::string::npos);
}

TEST_CASE("ids in any script stay what they are") {
  // XML 1.0: letters of every script may stand in a name; an emoji is none and is kept wrapped.
  auto xml = score_around("<note id=\"音符1\"><rest/><duration>1</duration></note>"
                          "<note id=\"😀\"><rest/><duration>1</duration></note>");
  for (auto at = xml.find("\"P1\""); at != std::string::npos; at = xml.find("\"P1\""))
    xml.replace(at, 4, "\"Flöte\"");
  auto r = read(xml, "ids");
  REQUIRE(r);
  CHECK(r->score->parts.at(0)->id == "Flöte");
  auto written = write(*r->score, as_given());
  CHECK(written.find("<part id=\"Flöte\">") != std::string::npos);
  CHECK(written.find("<note id=\"音符1\">") != std::string::npos);
  CHECK(written.find("<?fermata-attributes id=\"😀\"?>") != std::string::npos);
  CHECK(schema_complaints(written) == "");
  auto again = read(written, "again");
  REQUIRE(again);
  CHECK(*again->score == *r->score);
}

}  // namespace musicxml_test::import_test
