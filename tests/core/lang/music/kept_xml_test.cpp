#include "core/score/model/kept_elements.hpp"
#include "typed_session.hpp"

namespace fermata::kept_xml_test {

using namespace fermata::test;

namespace {

std::vector<std::string> remarks_of(const std::string& text) { return of(text).remarks; }

/// A form for each operation that makes music of music.
std::string called(edit_operation x, const std::string& music) {
  switch (x) {
    case edit_operation::transpose: return "(transpose M2 " + music + ")";
    case edit_operation::invert: return "(invert c4 " + music + ")";
    case edit_operation::retrograde: return "(retrograde " + music + ")";
    case edit_operation::rotate: return "(rotate 1 " + music + ")";
    case edit_operation::augment: return "(augment 2 " + music + ")";
    case edit_operation::cut:
    case edit_operation::add:
    case edit_operation::begin: return music;
  }
  return {};
}

}  // namespace

TEST_CASE("every element that is kept as XML has the fate that the table says") {
  for (const auto& row : kept_table())
    for (auto x : {edit_operation::transpose, edit_operation::invert, edit_operation::retrograde,
                   edit_operation::rotate, edit_operation::augment}) {
      auto name = std::string{row.element};
      INFO(name << ", " << to_string(x));
      auto open = "<" + name + " type=\\\"start\\\">";
      auto music = "(measure (xml \"" + open + "a</" + name + ">\") (note c4 :h) (note d4 :h))";
      auto done = of(called(x, music));
      auto stays = done.text.find("<" + name + " ") != std::string::npos;
      CHECK(stays == (row.at(x) != kept_fate::drop));
      CHECK(done.remarks.size() == (stays ? 0 : 1));
      if (!stays) CHECK(done.remarks.front().find("dropped <" + name + ">") != std::string::npos);
    }
}

TEST_CASE("all chords of a polychord are transposed") {
  auto am7_b7 = std::string{"(harmony \"Am7\" :polychord (harmony \"B7\"))"};
  CHECK(shown(am7_b7) == am7_b7);
  CHECK(shown("(harmony \"Am7\" :polychord \"B7\")") == am7_b7);
  CHECK(shown("(transpose M2 " + am7_b7 + ")") == "(harmony \"Bm7\" :polychord (harmony \"C#7\"))");
  CHECK(fault_of("(harmony \"Am7\" :polychord \"H7\")").code == errc::invalid_chord);
  CHECK(fault_of("(harmony \"Am7\" :polychord (harmony \"B7\" :offset 1/4))").code ==
        errc::invalid_chord);
}

TEST_CASE("the key that a numeral is counted in moves with the music") {
  auto five_of = [](const char* fifths) {
    return "(harmony :numeral \"<numeral><numeral-root>5</numeral-root><numeral-key>"
           "<numeral-fifths>" +
           std::string{fifths} +
           "</numeral-fifths><numeral-mode>major</numeral-mode></numeral-key></numeral>\" :kind "
           ":dominant)";
  };
  CHECK(of("(transpose M2 " + five_of("0") + ")").text == five_of("2"));   // C major, D major
  CHECK(of("(transpose -m2 " + five_of("0") + ")").text == five_of("5"));  // B major
  CHECK(of("(transpose P8 " + five_of("3") + ")").text == five_of("3"));
  CHECK(remarks_of("(transpose M2 " + five_of("0") + ")").empty());
}

TEST_CASE("a numeral goes when the music moves by steps of its key") {
  auto five = std::string{
      "(harmony :numeral \"<numeral><numeral-root>5</numeral-root><numeral-key>"
      "<numeral-fifths>0</numeral-fifths><numeral-mode>major</numeral-mode></numeral-key>"
      "</numeral>\" :kind :dominant)"};
  auto done = of("(transpose :steps 1 :key c-major (seq " + five + " (note g4 :w)))");
  CHECK(done.text == "(seq (note a4 :w))");
  CHECK(done.remarks == lines{"transpose dropped <harmony>: it refers to the old pitches"});
  // An octave higher it is the same step.
  auto octave = of("(transpose :steps 7 :key c-major (seq " + five + " (note g4 :w)))");
  CHECK(octave.remarks.empty());
  CHECK(octave.text.find("<numeral-root>5") != std::string::npos);
}

TEST_CASE("the text of a root goes where the root does, and only then") {
  auto text = std::string{"(harmony \"C\" :xml (\"<root-step text=\\\"Do\\\"/>\"))"};
  auto moved = of("(transpose M2 " + text + ")");
  CHECK(moved.text == "(harmony \"D\")");
  CHECK(moved.remarks ==
        lines{"transpose dropped the text of <root-step>: it refers to the old pitches"});
  CHECK(of("(transpose P8 " + text + ")").text == text);
}

TEST_CASE("a key of any signs is one whatever it says of glyphs and octaves") {
  auto key = std::string{
      "(key :alterations ((\"bb\" :accidental \"flat\" :smufl \"accidentalFlat\")) :octaves ((1 4 "
      ":cancel \"no\")))"};
  CHECK(shown(key) == key);
  // B flat in a scale on c: a major second higher it is c, and e is f sharp.
  auto moved = of("(transpose M2 " + key + ")");
  CHECK(moved.text == "(key :alterations (\"f#\"))");
  CHECK(moved.remarks == lines{"transpose dropped <key-octave>: it refers to the old pitches"});
  session s;
  s.type("(measure (key -2 :octaves ((1 4 :cancel no))) (note bb4 :w))");
  CHECK(print(s.type("(key-at 1)")).starts_with("(key -2 "));
  CHECK(fault_of("(key -2 :octaves ((1 4 :cancel maybe)))").code == errc::invalid_key);
  CHECK(fault_of("(key :alterations ((\"f#\" :smufl \"accidentalSharp\")))").code ==
        errc::invalid_key);
}

TEST_CASE("fingerings of the old pitch go, also an octave away") {
  auto done = of("(transpose P8 (note c4 :q :string 5 :fret 3))");
  CHECK(done.text == "(note c5 :q)");
  CHECK(done.remarks == lines{"transpose dropped <fret>: it refers to the old pitches",
                              "transpose dropped <string>: it refers to the old pitches"});
}

TEST_CASE("what is dropped is counted") {
  CHECK(remarks_of("(transpose M2 (note c4 :q :fret 3) (note d4 :q :fret 5))") ==
        lines{"transpose dropped <fret> (2 times): it refers to the old pitches"});
}

TEST_CASE("the ends of a grouping exchange places when music is read backwards") {
  auto done =
      of("(retrograde (measure (xml \"<grouping type=\\\"start\\\"/>\") (note c4 :h) (note d4 :h) "
         "(xml \"<grouping type=\\\"stop\\\"/>\")))");
  auto start = done.text.find("type=\\\"start\\\""), stop = done.text.find("type=\\\"stop\\\"");
  CHECK(start != std::string::npos);
  CHECK(stop != std::string::npos);
  CHECK(start < stop);
}

TEST_CASE("the lines of a staff stay at the beginning of the part") {
  session s;
  s.type(
      "(score (part :flute (measure (attributes (xml \"<staff-details><staff-lines>1</staff-lines>"
      "</staff-details>\")) (note c4 :w)) (measure (note d4 :w))))");
  auto turned = of("(retrograde (part :flute (measure (attributes (xml \"<staff-details>"
                   "<staff-lines>1</staff-lines></staff-details>\")) (note c4 :w)) "
                   "(measure (note d4 :w))))");
  CHECK(turned.text.find("staff-details") < turned.text.find("(note d4"));
  CHECK(turned.remarks.empty());
  // They hold for the measure that is first now.
  s.type("(delete (measures 1))");
  CHECK(s.measure(0).find("staff-details") != std::string::npos);
  CHECK(s.measure(0).find("d4") != std::string::npos);
}

TEST_CASE("the sign of repeated measures goes when they change their order") {
  CHECK(remarks_of("(retrograde (measure (attributes (xml \"<measure-style><measure-repeat "
                   "type=\\\"start\\\">1</measure-repeat></measure-style>\")) (note c4 :w)))") ==
        lines{"retrograde dropped <measure-style>: it depends on the old order of measures"});
}

TEST_CASE("a feathered beam loses its fan when its notes are read backwards") {
  auto done = of("(retrograde (seq (note c4 :8 :beam (:begin :xml (:fan \"accel\"))) "
                 "(note d4 :8 :beam :end)))");
  CHECK(done.text == shown("(seq (note d4 :8 :beam :begin) (note c4 :8 :beam :end))"));
  CHECK(done.remarks ==
        lines{"retrograde dropped the fan of a beam: it depends on the old order of measures"});
}

TEST_CASE("offsets in kept XML are scaled with the music") {
  auto done = of(
      "(augment 2 (measure (xml \"<listening><offset>1/2</offset></listening>\") (note c4 :w)))");
  CHECK(done.text.find("<offset>1</offset>") != std::string::npos);
}

TEST_CASE("an end of a pair goes when an edit takes its other end") {
  session s;
  s.type("(measure (xml \"<grouping type=\\\"start\\\"/>\") (note c4 :w))"
         "(measure (note d4 :w) (xml \"<grouping type=\\\"stop\\\"/>\"))");
  auto r = s.try_type("(delete (measures 1))");
  REQUIRE(r);
  CHECK(r->remarks == lines{"removed <grouping>: its other end was removed"});
  CHECK(s.measure(0).find("grouping") == std::string::npos);
}

TEST_CASE("measures that are edited have the lines of their staff once") {
  session s;
  s.type(
      "(measure (attributes (xml \"<staff-details><staff-lines>1</staff-lines></staff-details>\"))"
      " (note c4 :w))");
  auto times = [&] {
    auto text = s.measure(0);
    std::size_t n = 0;
    for (auto at = text.find("<staff-details>"); at != std::string::npos;
         at = text.find("<staff-details>", at + 1))
      ++n;
    return n;
  };
  s.type("(edit (measures 1) (fn [m] m))");
  CHECK(times() == 1);
  s.type("(replace (measures 1) (measure (note d4 :w)))");
  CHECK(times() == 1);
}

TEST_CASE("a measure that is inserted in front has the lines of the staff, not the slashes") {
  session s;
  s.type(
      "(measure (attributes (xml \"<staff-details><staff-lines>1</staff-lines></staff-details>\") "
      "(xml \"<measure-style><slash type=\\\"start\\\"/></measure-style>\")) (note c4 :w))");
  s.type("(insert-measure 1)");
  CHECK(s.measure(0).find("<staff-details>") != std::string::npos);
  CHECK(s.measure(0).find("<measure-style>") == std::string::npos);
  CHECK(s.measure(1).find("<staff-details>") == std::string::npos);
  CHECK(s.measure(1).find("<measure-style>") != std::string::npos);
}

TEST_CASE("what a transformation drops of a measure does not come back when it is edited") {
  session s;
  // A key that no score can hold: thousands of sharps.
  s.type("(measure (attributes (xml \"<key><fifths>2000</fifths></key>\")) (note c4 :w))");
  auto r = s.try_type("(edit (measures 1) (fn [m] (transpose M2 m)))");
  REQUIRE(r);
  CHECK(r->remarks == lines{"transpose dropped <key>: it refers to the old pitches"});
  CHECK(s.measure(0).find("<key>") == std::string::npos);
}

TEST_CASE("a speed in words is no name of a tempo") {
  for (auto text : {"(tempo :q :per-minute \"0\")", "(tempo :q :per-minute \"\")",
                    "(tempo :q :per-minute \"fast\")", "(tempo \"Allegro\" :q \"c. 96\")"})
    CHECK(shown(text) == text);
  CHECK(fault_of("(tempo :q 96 :per-minute \"fast\")").code == errc::invalid_tempo);
  CHECK(fault_of("(tempo :q \"fast\")").code == errc::invalid_tempo);
}

}  // namespace fermata::kept_xml_test
