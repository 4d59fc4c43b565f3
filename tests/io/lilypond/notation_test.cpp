#include "io/lilypond/export.hpp"
#include "tests/io/musicxml/support.hpp"

#include <catch2/catch.hpp>

namespace musicxml_test::notation_test {

// Music as other programs write it. What is expected follows MusicXML 4.0 and the LilyPond
// notation reference 2.24.

namespace {

std::string pitched(const std::string& name, const std::string& type, const std::string& inside,
                    int duration = 1) {
  return "<note><pitch><step>" + name + "</step><octave>4</octave></pitch><duration>" +
         std::to_string(duration) + "</duration><voice>1</voice><type>" + type + "</type>" +
         inside + "</note>";
}

struct exported {
  std::string text;
  std::vector<std::string> losses;
};

exported lilypond_of(const std::string& measure) {
  auto read = fermata::io::musicxml::read(score_around(measure), "x.musicxml");
  REQUIRE(read);
  std::vector<diagnostic> left_out;
  exported out;
  out.text = io::lilypond::write(*read->score, {.beams_as_given = true}, &left_out);
  for (auto& d : left_out)
    out.losses.push_back(d.message);
  return out;
}

bool holds(const exported& e, const std::string& part) {
  if (e.text.find(part) == std::string::npos)
    UNSCOPED_INFO("looked for " << part << " in\n" << e.text);
  return e.text.find(part) != std::string::npos;
}

std::string tuplet_of(const std::string& type, int actual, int normal, int count, int duration,
                      const std::string& more = "") {
  std::string text;
  for (int i = 0; i < count; ++i) {
    auto modification = "<time-modification><actual-notes>" + std::to_string(actual) +
                        "</actual-notes><normal-notes>" + std::to_string(normal) +
                        "</normal-notes></time-modification>";
    std::string ends;
    if (i == 0) ends = "<notations><tuplet type=\"start\"" + more + "/></notations>";
    if (i + 1 == count) ends = "<notations><tuplet type=\"stop\"/></notations>";
    text += pitched("C", type, modification + ends, duration);
  }
  return text;
}

const std::string quarters_of_60 = "<attributes><divisions>60</divisions></attributes>";

}  // namespace

TEST_CASE("a tuplet says the numbers of the score") {
  struct row {
    const char* type;
    int actual, normal, count, duration;
    const char* written;
  };
  for (auto& r :
       {row{"16th", 6, 4, 6, 10, "\\tuplet 6/4 {"}, row{"32nd", 12, 8, 12, 5, "\\tuplet 12/8 {"},
        row{"16th", 10, 6, 10, 9, "\\tuplet 10/6 {"}, row{"eighth", 3, 2, 3, 20, "\\tuplet 3/2 {"},
        row{"eighth", 2, 3, 2, 45, "\\tuplet 2/3 {"}}) {
    INFO(r.written);
    auto out =
        lilypond_of(quarters_of_60 + tuplet_of(r.type, r.actual, r.normal, r.count, r.duration));
    CHECK(holds(out, r.written));
    CHECK(out.losses.empty());
  }
}

TEST_CASE("a tuplet within another has its own numbers") {
  // 6:4 of sixteenths within 3:2 of eighths: MusicXML writes the product, 18:8.
  auto outer = [](const char* ends) {
    return "<time-modification><actual-notes>3</actual-notes><normal-notes>2</normal-notes>"
           "</time-modification>" +
           std::string{ends};
  };
  std::string text = "<attributes><divisions>180</divisions></attributes>";
  text += pitched("C", "eighth",
                  outer("<notations><tuplet type=\"start\" number=\"1\"/></notations>"), 60);
  text += tuplet_of("16th", 18, 8, 6, 20, " number=\"2\"");
  text += pitched("D", "quarter", outer("<notations><tuplet type=\"stop\"/></notations>"), 120);
  auto out = lilypond_of(text);
  CHECK(holds(out, "\\tuplet 3/2 { c'8 \\tuplet 6/4 { c'16"));
}

TEST_CASE("a bracket of a tuplet and its number are shown as the score says") {
  auto with = [](const std::string& more) {
    return lilypond_of(quarters_of_60 + tuplet_of("eighth", 3, 2, 3, 20, more));
  };
  CHECK(holds(with(" bracket=\"no\""),
              "\\once \\override TupletBracket.bracket-visibility = ##f \\tuplet 3/2 {"));
  CHECK(holds(with(" bracket=\"yes\""), "bracket-visibility = ##t \\tuplet 3/2 {"));
  CHECK(holds(with(" show-number=\"none\""), "\\once \\omit TupletNumber \\tuplet 3/2 {"));
  CHECK(holds(with(" show-number=\"both\""), "tuplet-number::calc-fraction-text \\tuplet 3/2 {"));
  CHECK(with(" show-type=\"both\"").losses ==
        std::vector<std::string>{
            "left out for LilyPond: show-type of <tuplet> (1, first in measure 1)"});
}

TEST_CASE("beams of the score are written, and what has none has a flag") {
  auto beamed = [](const char* name, const char* type, const std::string& beams) {
    return pitched(name, type, beams, std::string_view{type} == "16th" ? 15 : 30);
  };
  std::string one = "<beam number=\"1\">", two = "<beam number=\"2\">", end = "</beam>";
  auto out = lilypond_of(quarters_of_60 + beamed("C", "eighth", one + "begin" + end) +
                         beamed("D", "eighth", one + "continue" + end) +
                         beamed("E", "eighth", one + "end" + end) + beamed("F", "eighth", "") +
                         pitched("G", "half", "", 120));
  CHECK(holds(out, "c'8[ d'8 e'8] f'8\\noBeam g'2 |"));
  CHECK(out.losses.empty());
  // A dotted eighth and a sixteenth whose second beam is a hook; four sixteenths in two pairs.
  out = lilypond_of(
      quarters_of_60 + beamed("C", "16th", one + "begin" + end + two + "begin" + end) +
      beamed("D", "16th", one + "continue" + end + two + "end" + end) +
      beamed("E", "16th", one + "continue" + end + two + "begin" + end) +
      beamed("F", "16th", one + "end" + end + two + "end" + end) + pitched("G", "half", "", 120));
  CHECK(holds(out, "c'16[ \\set stemRightBeamCount = #1 d'16 \\set stemLeftBeamCount = #1 e'16 "
                   "f'16] g'2"));
  // Without any beam in the voice LilyPond decides.
  out = lilypond_of(quarters_of_60 + beamed("C", "eighth", "") + beamed("D", "eighth", ""));
  CHECK(holds(out, "c'8 d'8"));
  out = lilypond_of(quarters_of_60 + beamed("C", "eighth", one + "begin" + end) +
                    beamed("D", "eighth", ""));
  CHECK(out.losses == std::vector<std::string>{
                          "left out for LilyPond: beams with one end (1, first in measure 1)"});
  // LilyPond draws no beam between half notes, as a tremolo has them.
  out = lilypond_of(quarters_of_60 + pitched("C", "half", one + "begin" + end, 120) +
                    pitched("D", "half", one + "end" + end, 120));
  CHECK(holds(out, "c'2 d'2"));
  CHECK(out.losses ==
        std::vector<std::string>{
            "left out for LilyPond: beams between notes without flags (1, first in measure 1)"});
}

TEST_CASE("a bracket before a chord is no wavy line") {
  auto chord = [](const std::string& sign) {
    auto notations = "<notations>" + sign + "</notations>";
    auto low = pitched("C", "whole", notations, 240), high = pitched("E", "whole", notations, 240);
    high.insert(6, "<chord/>");
    return lilypond_of(quarters_of_60 + low + high);
  };
  CHECK(holds(chord("<non-arpeggiate type=\"bottom\"/>"),
              "\\once \\override Arpeggio.stencil = #ly:arpeggio::brew-chord-bracket "
              "<c' e'>1\\arpeggio"));
  CHECK(holds(chord("<arpeggiate/>"), "| % 1"));
  CHECK(chord("<arpeggiate/>").text.find("brew-chord-bracket") == std::string::npos);
  // A wavy line for some notes and a bracket for others: LilyPond draws one sign at a chord.
  CHECK(chord("<arpeggiate/><non-arpeggiate type=\"bottom\"/>").losses ==
        std::vector<std::string>{
            "left out for LilyPond: arpeggios of part of a chord (1, first in measure 1)"});
}

TEST_CASE("rehearsal marks and words have the frames of the score") {
  auto with = [](const std::string& type) {
    return lilypond_of("<direction><direction-type>" + type + "</direction-type></direction>" +
                       pitched("C", "whole", "", 4));
  };
  CHECK(holds(with("<rehearsal>A</rehearsal>"), "\\mark \\markup { \\box \"A\" }"));
  CHECK(holds(with("<rehearsal enclosure=\"circle\">A</rehearsal>"),
              "\\mark \\markup { \\circle \"A\" }"));
  CHECK(holds(with("<rehearsal enclosure=\"none\">A</rehearsal>"), "\\mark \\markup { \"A\" }"));
  CHECK(holds(with("<words enclosure=\"rectangle\">solo</words>"), "^\\markup { \\box \"solo\" }"));
  CHECK(with("<rehearsal enclosure=\"diamond\">A</rehearsal>").losses ==
        std::vector<std::string>{
            "left out for LilyPond: enclosures \"diamond\" (1, first in measure 1)"});
}

TEST_CASE("what LilyPond has no sign for is told and not changed") {
  struct row {
    const char* notations;
    const char* left_out;
  };
  for (auto& r : {
           row{"<ornaments><tremolo type=\"unmeasured\">0</tremolo></ornaments>",
               "unmeasured tremolos"},
           row{"<ornaments><trill-mark/><wavy-line type=\"start\"/><wavy-line type=\"stop\"/>"
               "</ornaments>",
               "wavy lines on one note"},
           row{"<slur type=\"start\"/><slur type=\"stop\"/>", "slurs on one note"},
       }) {
    INFO(r.notations);
    auto out = lilypond_of(
        pitched("C", "whole", "<notations>" + std::string{r.notations} + "</notations>", 4));
    CHECK(out.losses ==
          std::vector<std::string>{"left out for LilyPond: " + std::string{r.left_out} +
                                   " (1, first in measure 1)"});
  }
  for (auto& [element, name] :
       {std::pair{"<laughing/>", "laughing"}, std::pair{"<humming/>", "humming"}}) {
    auto out = lilypond_of(pitched("C", "whole", "<lyric>" + std::string{element} + "</lyric>", 4));
    CHECK(out.losses == std::vector<std::string>{"left out for LilyPond: " + std::string{name} +
                                                 " in lyrics (1, first in measure 1)"});
  }
}

TEST_CASE("endings say what is printed over them") {
  auto with = [](const std::string& ending) {
    return lilypond_of(
        "<barline location=\"left\">" + ending + "</barline>" + pitched("C", "whole", "", 4) +
        "<barline location=\"right\"><ending number=\"1\" type=\"stop\"/></barline>");
  };
  CHECK(holds(with("<ending number=\"1\" type=\"start\">Solo</ending>"), "(volta \"Solo\")"));
  CHECK(holds(with("<ending number=\"1\" type=\"start\"/>"), "(volta \"1.\")"));
  CHECK(holds(with("<ending number=\"1\" type=\"start\" print-object=\"no\"/>"), "(volta \"\")"));
}

TEST_CASE("segno and fermata on a barline are drawn there") {
  auto out = lilypond_of(
      "<barline location=\"left\"><segno/></barline>" + pitched("C", "whole", "", 4) +
      "<barline location=\"right\"><bar-style>light-heavy</bar-style><fermata>angled</fermata>"
      "<fermata type=\"inverted\"/><repeat direction=\"backward\" after-jump=\"yes\" "
      "winged=\"straight\"/></barline>");
  CHECK(holds(out, "\\textMark \\markup { \\musicglyph \"scripts.segno\" }"));
  CHECK(holds(out, "\\textEndMark \\markup { \\musicglyph \"scripts.ushortfermata\" }"));
  CHECK(holds(out, "\\tweak direction #DOWN \\textEndMark \\markup { \\musicglyph "
                   "\"scripts.dfermata\" }"));
  CHECK(out.losses ==
        std::vector<std::string>{
            "left out for LilyPond: winged of <repeat> (1, first in measure 1)",
            "left out for LilyPond: repeats taken after a jump (1, first in measure 1)"});
}

TEST_CASE("the signs of common and cut time stand for the metre that the score gives them") {
  auto with = [](const std::string& symbol, int beats, int type) {
    return lilypond_of("<attributes><divisions>1</divisions><time symbol=\"" + symbol +
                       "\"><beats>" + std::to_string(beats) + "</beats><beat-type>" +
                       std::to_string(type) + "</beat-type></time></attributes>" +
                       pitched("C", "whole", "", 4));
  };
  CHECK(holds(with("common", 4, 4), "\\defaultTimeSignature \\time 4/4"));
  CHECK(holds(with("cut", 2, 2), "\\defaultTimeSignature \\time 2/2"));
  // LilyPond's own sign for 4/4 is the C.
  CHECK(holds(with("cut", 4, 4), "(markup #:musicglyph \"timesig.C22\"))) \\time 4/4"));
  CHECK(holds(with("common", 2, 2), "(markup #:musicglyph \"timesig.C44\"))) \\time 2/2"));
  CHECK(with("note", 4, 4).losses ==
        std::vector<std::string>{
            "left out for LilyPond: time signatures with a note below (1, first in measure 1)"});
}

TEST_CASE("a pedal that is held ends as the pedal that it is") {
  auto pedal = [](const char* type) {
    return "<direction><direction-type><pedal type=\"" + std::string{type} +
           "\"/></direction-type></direction>";
  };
  auto out = lilypond_of(pedal("sostenuto") + pitched("C", "whole", "", 4) + pedal("stop"));
  CHECK(holds(out, "\\sostenutoOn"));
  CHECK(holds(out, "\\sostenutoOff"));
  out = lilypond_of(pedal("start") + pitched("C", "whole", "", 4) + pedal("stop"));
  CHECK(holds(out, "\\sustainOff"));
}

TEST_CASE("an accidental that is there a second time is drawn a second time") {
  auto sharp = [](const char* accidental) {
    return "<note><pitch><step>F</step><alter>1</alter><octave>4</octave></pitch><duration>1"
           "</duration><voice>1</voice><type>quarter</type>" +
           std::string{accidental} + "</note>";
  };
  const char* sign = "<accidental>sharp</accidental>";
  auto out = lilypond_of(sharp(sign) + sharp("") + sharp(sign) + sharp(""));
  CHECK(holds(out, "fis'4 fis'4 fis'!4 fis'4 |"));
}

TEST_CASE("a clef on an unusual line stands there") {
  // G on the third line: middle C is a step lower than in the treble clef, 4 positions below G.
  auto out = lilypond_of("<attributes><divisions>1</divisions><clef><sign>G</sign><line>3</line>"
                         "</clef></attributes>" +
                         pitched("C", "whole", "", 4));
  CHECK(holds(out, "\\set Staff.clefGlyph = #\"clefs.G\" \\set Staff.clefPosition = #0"));
  CHECK(holds(out, "\\set Staff.middleCPosition = #-4"));
}

TEST_CASE("a hidden rest for a measure stays hidden, and a short one is told of") {
  auto rest = [](const std::string& attributes, const std::string& duration) {
    return "<note" + attributes + "><rest measure=\"yes\"/><duration>" + duration +
           "</duration><voice>1</voice></note>";
  };
  auto plain = lilypond_of(quarters_of_60 + rest("", "240"));
  CHECK(holds(plain, "R1*1/1"));
  auto hidden = lilypond_of(quarters_of_60 + rest(" print-object=\"no\"", "240"));
  CHECK(holds(hidden, " s1 |"));
  CHECK(hidden.losses.empty());
  auto short_one = lilypond_of(quarters_of_60 + rest("", "120") + pitched("C", "half", "", 120));
  CHECK(holds(short_one, "r2 c'2"));
  CHECK(short_one.losses ==
        std::vector<std::string>{"left out for LilyPond: rests for a whole measure that are drawn "
                                 "as others (1, first in measure 1)"});
}

TEST_CASE("syllables on one note are joined by what the score has between them") {
  auto sung = [](const std::string& elision) {
    return lilypond_of(quarters_of_60 + pitched("C", "whole",
                                                "<lyric><syllabic>single</syllabic><text>a</text>"
                                                "<elision>" +
                                                    elision +
                                                    "</elision><syllabic>single</syllabic>"
                                                    "<text>b</text></lyric>",
                                                240));
  };
  CHECK(holds(sung("\u203f"), "\"a~b\""));
  CHECK(holds(sung(""), "\"a~b\""));
  CHECK(holds(sung(" "), "\"a b\""));
}

TEST_CASE("what LilyPond places by itself is told of where the score places it") {
  auto layout = std::vector<std::string>{
      "left out for LilyPond: positions, sizes, fonts and colours (1, first in measure 1)"};
  auto below = [](const std::string& type) {
    return lilypond_of(quarters_of_60 + "<direction placement=\"below\"><direction-type>" + type +
                       "</direction-type></direction>" + pitched("C", "whole", "", 240));
  };
  CHECK(below("<rehearsal>A</rehearsal>").losses == layout);
  CHECK(below("<coda/>").losses == layout);
  CHECK(below("<words>A</words>").losses.empty());
  CHECK(holds(below("<words>A</words>"), "<>_\\markup"));
}

TEST_CASE("attributes of signs on barlines and repeats played once are told of") {
  auto at_end = [](const std::string& inside) {
    return lilypond_of(quarters_of_60 + pitched("C", "whole", "", 240) +
                       "<barline location=\"right\">" + inside + "</barline>")
        .losses;
  };
  CHECK(at_end("<coda/>").empty());
  CHECK(at_end("<coda smufl=\"codaSquare\"/>") ==
        std::vector<std::string>{"left out for LilyPond: smufl of <coda> (1, first in measure 1)"});
  CHECK(at_end("<repeat direction=\"backward\"/>").empty());
  CHECK(at_end("<repeat direction=\"backward\" times=\"1\"/>") ==
        std::vector<std::string>{"left out for LilyPond: playback data (1, first in measure 1)"});
}

TEST_CASE("arpeggios on two staves are one unless the score breaks them") {
  auto chord = [](const std::string& unbroken, const std::string& staff) {
    auto in_staff = [&](std::string note) {
      return note.insert(note.find("</note>"), "<staff>" + staff + "</staff>");
    };
    auto sign = "<notations><arpeggiate" + unbroken + "/></notations>";
    auto place = [&](std::string note) {
      auto voice = "<voice>" + std::string{staff == "1" ? "1" : "5"} + "</voice>";
      return note.replace(note.find("<voice>1</voice>"), 16, voice);
    };
    auto with_sign = [&](const std::string& name) {
      auto note = in_staff(place(pitched(name, "whole", "", 240)));
      return note.insert(note.find("</note>"), sign);
    };
    auto second = with_sign("E");
    return with_sign("C") + second.insert(6, "<chord/>");
  };
  auto both = [&](const std::string& unbroken) {
    return lilypond_of("<attributes><divisions>60</divisions><staves>2</staves></attributes>" +
                       chord(unbroken, "1") + "<backup><duration>240</duration></backup>" +
                       chord(unbroken, "2"));
  };
  CHECK(holds(both(""), "connectArpeggios = ##t"));
  CHECK(both(" unbroken=\"no\"").text.find("connectArpeggios") == std::string::npos);
}

}  // namespace musicxml_test::notation_test
