#include "io/lilypond/export.hpp"
#include "tests/io/musicxml/support.hpp"

#include <catch2/catch.hpp>

namespace musicxml_test::lilypond_lines_test {

// Lines between two ends, and ends without a line. What a line is follows MusicXML 4.0; that
// LilyPond draws none from a single end, leads a glissando to the next chord, and closes tuplets
// where their music ends follows its notation reference 2.24.

namespace {

using losses = std::vector<std::string>;

struct exported {
  std::string text;
  losses left_out;  ///< without what all of them begin with
};

exported lilypond_of(const std::string& measures) {
  auto read = fermata::io::musicxml::read(score_around(measures), "x.musicxml");
  REQUIRE(read);
  std::vector<diagnostic> left_out;
  exported out;
  out.text = io::lilypond::write(*read->score, {.beams_as_given = true}, &left_out);
  const std::string start = "left out for LilyPond: ";
  for (auto& d : left_out) {
    REQUIRE(d.message.starts_with(start));
    out.left_out.push_back(d.message.substr(start.size()));
  }
  return out;
}

bool has(const exported& e, std::string_view part) {
  if (e.text.find(part) == std::string::npos)
    UNSCOPED_INFO("looked for " << part << " in\n" << e.text);
  return e.text.find(part) != std::string::npos;
}

std::string note_with(const std::string& step, const std::string& notations,
                      const std::string& ties = "", const std::string& more = "") {
  return "<note><pitch><step>" + step + "</step><octave>4</octave></pitch><duration>1</duration>" +
         ties + "<voice>1</voice><type>quarter</type>" + more +
         (notations.empty() ? "" : "<notations>" + notations + "</notations>") + "</note>";
}

std::string plain(const std::string& step) { return note_with(step, ""); }

std::string beside(const std::string& type, const std::string& more = "") {
  return "<direction><direction-type>" + type + "</direction-type>" + more + "</direction>";
}

std::string once_in_measure(const std::string& what, int measure = 1) {
  return what + " (1, first in measure " + std::to_string(measure) + ")";
}

}  // namespace

TEST_CASE("a line between directions without its other end is counted, not written") {
  struct row {
    const char *start, *stop, *name, *command;
  };
  for (auto& r : {row{"<wedge type=\"crescendo\"/>", "<wedge type=\"stop\"/>", "hairpins", "\\<"},
                  row{"<wedge type=\"diminuendo\"/>", "<wedge type=\"stop\"/>", "hairpins", "\\>"},
                  row{"<octave-shift type=\"down\"/>", "<octave-shift type=\"stop\"/>",
                      "octave lines", "\\ottava"},
                  row{"<pedal type=\"start\" line=\"yes\"/>", "<pedal type=\"stop\" line=\"yes\"/>",
                      "pedals", "\\sustain"}}) {
    INFO(r.start);
    auto notes = plain("C") + plain("D");
    auto open = lilypond_of(beside(r.start) + notes);
    CHECK(open.left_out == losses{once_in_measure(std::string{r.name} + " with one end")});
    CHECK(open.text.find(r.command) == std::string::npos);
    auto ended = lilypond_of(notes + beside(r.stop));
    CHECK(ended.left_out == losses{once_in_measure(std::string{r.name} + " with one end")});
    auto both = lilypond_of(beside(r.start) + notes + beside(r.stop));
    CHECK(both.left_out.empty());
    CHECK(has(both, r.command));
    auto nothing_between = lilypond_of(notes + beside(r.start) + beside(r.stop));
    CHECK(nothing_between.left_out ==
          losses{once_in_measure(std::string{r.name} + " of no length")});
  }
}

TEST_CASE("the sign of a pedal that is never released is written, and its lone release is not") {
  auto notes = plain("C") + plain("D");
  auto pressed = lilypond_of(beside("<pedal type=\"start\"/>") + notes);
  CHECK(has(pressed, "<>\\sustainOn"));
  CHECK(pressed.left_out.empty());
  auto released = lilypond_of(notes + beside("<pedal type=\"stop\"/>"));
  CHECK(released.text.find("\\sustainOff") == std::string::npos);
  CHECK(released.left_out == losses{once_in_measure("pedals with one end")});
  auto changed = lilypond_of(notes + beside("<pedal type=\"change\"/>"));
  CHECK(changed.text.find("\\sustain") == std::string::npos);
  CHECK(changed.left_out == losses{once_in_measure("pedal changes without a pedal")});
}

TEST_CASE("pedals on one staff may be drawn in different ways") {
  auto out = lilypond_of(beside("<pedal type=\"start\" line=\"yes\"/>") + plain("C") +
                         beside("<pedal type=\"stop\" line=\"yes\"/>") + plain("D") +
                         beside("<pedal type=\"start\"/>") + plain("E") +
                         beside("<pedal type=\"stop\"/>"));
  CHECK(has(out, "pedalSustainStyle = #'bracket"));
  CHECK(has(out, "\\set Staff.pedalSustainStyle = #'text "));
  CHECK(out.left_out.empty());
  auto unseen = lilypond_of(beside("<pedal type=\"start\" line=\"no\" sign=\"no\"/>") + plain("C") +
                            beside("<pedal type=\"stop\" line=\"no\" sign=\"no\"/>"));
  CHECK(unseen.left_out == losses{once_in_measure("pedals that are not drawn")});
}

TEST_CASE("hairpins of two voices overlap without numbers and are both written") {
  auto in_voice = [](const char* type, const char* voice) {
    return beside("<wedge type=\"" + std::string{type} + "\"/>",
                  "<voice>" + std::string{voice} + "</voice>");
  };
  auto second = plain("E");
  second.replace(second.find("<voice>1"), 8, "<voice>2");
  auto out =
      lilypond_of(in_voice("crescendo", "1") + plain("C") + plain("D") + in_voice("stop", "1") +
                  "<backup><duration>2</duration></backup>" + second + in_voice("diminuendo", "2") +
                  second + second + in_voice("stop", "2"));
  CHECK(out.left_out.empty());
  CHECK(has(out, "<>\\< s1*1/2 <>\\!"));
  CHECK(has(out, "<>\\> s1*1/2 <>\\!"));
}

TEST_CASE("a point within a line that nothing begins is counted") {
  for (auto [type, name] : {std::pair{"<wedge type=\"continue\"/>", "hairpins"},
                            {"<octave-shift type=\"continue\"/>", "octave lines"},
                            {"<pedal type=\"continue\"/>", "pedals"},
                            {"<dashes type=\"continue\"/>", "dashed lines"}})
    CHECK(lilypond_of(plain("C") + beside(type) + plain("D")).left_out ==
          losses{once_in_measure("continued " + std::string{name} + " without a start")});
  CHECK(lilypond_of(note_with("C", "<slur type=\"continue\"/>") + plain("D")).left_out ==
        losses{once_in_measure("continued slurs without a start")});
  auto within = lilypond_of(note_with("C", "<slur type=\"start\"/>") +
                            note_with("D", "<slur type=\"continue\"/>") +
                            note_with("E", "<slur type=\"stop\"/>"));
  CHECK(within.left_out.empty());
  CHECK(has(within, "c'4( d'4 e'4)"));
}

TEST_CASE("the end of a bracket or of dashes is counted even when nothing begins them") {
  CHECK(lilypond_of(plain("C") + beside("<bracket type=\"stop\" line-end=\"none\"/>")).left_out ==
        losses{once_in_measure("brackets with one end")});
  CHECK(lilypond_of(plain("C") + beside("<dashes type=\"stop\"/>")).left_out ==
        losses{once_in_measure("dashed lines with one end")});
}

TEST_CASE("a tie that is only drawn is written, and its second sound is counted") {
  auto out = lilypond_of(note_with("C", "<tied type=\"start\"/>") +
                         note_with("C", "<tied type=\"stop\"/>"));
  CHECK(has(out, "c'4~ c'4"));
  CHECK(out.left_out == losses{once_in_measure("separate sounds of notes joined by a drawn tie")});
  auto over_barline =
      lilypond_of(plain("D") + plain("D") + plain("D") + note_with("C", "<tied type=\"start\"/>") +
                  "</measure><measure number=\"2\">" + note_with("C", "<tied type=\"stop\"/>"));
  CHECK(has(over_barline, "c'4~ |"));
}

TEST_CASE("a tie that only sounds is written without its curve") {
  auto out = lilypond_of(note_with("C", "", "<tie type=\"start\"/>") +
                         note_with("C", "", "<tie type=\"stop\"/>"));
  CHECK(has(out, "c'4-\\tweak Tie.stencil ##f ~ c'4"));
  CHECK(out.left_out.empty());
}

TEST_CASE("a note in the middle of a drawn tie has both of its curves") {
  auto out = lilypond_of(
      note_with("C", "<tied type=\"start\"/>", "<tie type=\"start\"/>") +
      note_with("C", "<tied type=\"continue\"/>", "<tie type=\"stop\"/><tie type=\"start\"/>") +
      note_with("C", "<tied type=\"stop\"/>", "<tie type=\"stop\"/>"));
  CHECK(has(out, "c'4~ c'4~ c'4"));
  CHECK(out.left_out.empty());
}

TEST_CASE("an end of a tie that leads nowhere is counted, drawn or sounding") {
  for (auto& [note, name] :
       {std::pair{note_with("C", "<tied type=\"start\"/>"), "drawn ties without a second note"},
        {note_with("C", "", "<tie type=\"start\"/>"), "ties without a second note"},
        {note_with("C", "<tied type=\"stop\"/>"), "drawn ties without a first note"},
        {note_with("C", "", "<tie type=\"stop\"/>"), "ties without a first note"}}) {
    INFO(note);
    CHECK(lilypond_of(plain("D") + note + plain("D")).left_out == losses{once_in_measure(name)});
  }
  CHECK(lilypond_of(note_with("C", "<tied type=\"start\"/>", "<tie type=\"start\"/>") +
                    note_with("C", "", "<tie type=\"stop\"/>"))
            .left_out == losses{once_in_measure("ties drawn at one end only")});
}

TEST_CASE("a glissando is written from its note to its note, if these are next to each other") {
  auto from = note_with("C", "<slide type=\"start\"/>"),
       to = note_with("E", "<slide type=\"stop\"/>");
  CHECK(has(lilypond_of(from + to), "c'4\\glissando e'4"));
  CHECK(lilypond_of(from + plain("D") + to).left_out ==
        losses{once_in_measure("slides over other notes")});
  CHECK(lilypond_of(note_with("C", "<slide type=\"start\"/><slide type=\"stop\"/>") + plain("D"))
            .left_out == losses{once_in_measure("slides on one note")});
  // Of the first chord only the upper note slides, to the only note of the second.
  auto upper = "<note><chord/>" + from.substr(std::string{"<note>"}.size());
  auto chord = lilypond_of(plain("A") + upper + to);
  CHECK(has(chord, "\\once \\set glissandoMap = #'((1 . 0)) <a' c'>4\\glissando e'4"));
  CHECK(chord.left_out.empty());
}

TEST_CASE("a tremolo between two notes needs both of them") {
  auto end = [](const char* type) {
    return "<ornaments><tremolo type=\"" + std::string{type} + "\">2</tremolo></ornaments>";
  };
  CHECK(has(lilypond_of(note_with("C", end("start")) + note_with("D", end("stop"))),
            "\\repeat tremolo 4 { c'16 d'16 }"));
  auto open = lilypond_of(note_with("C", end("start")) + plain("D"));
  CHECK(has(open, "c'4 d'4"));
  CHECK(open.left_out == losses{once_in_measure("tremolos with one end")});
  auto over = lilypond_of(note_with("C", end("start")) + plain("E") + note_with("D", end("stop")));
  CHECK(has(over, "c'4 e'4 d'4"));
  CHECK(over.left_out == losses{once_in_measure("tremolos between these notes")});
}

TEST_CASE("the bracket of a tuplet is written over one note, and counted where none can be") {
  std::string triplet =
      "<dot/><time-modification><actual-notes>3</actual-notes><normal-notes>2</normal-notes>"
      "</time-modification>";
  std::string start = "<tuplet type=\"start\"/>", stop = "<tuplet type=\"stop\"/>";
  // A dotted quarter in the time of a quarter. LilyPond hides a bracket that spans no time.
  auto one = lilypond_of(note_with("C", start + stop, "", triplet) + plain("D"));
  CHECK(has(one, "\\once \\override TupletBracket.bracket-visibility = ##t \\tuplet 3/2 { c'4. }"));
  CHECK(one.left_out.empty());

  auto without = [&](const std::string& measures) { return lilypond_of(measures).left_out; };
  CHECK(without(note_with("C", start + stop) + plain("D")) ==
        losses{once_in_measure("tuplet brackets over notes that are no tuplet")});
  CHECK(without(note_with("C", start, "", triplet) + plain("D")) ==
        losses{once_in_measure("tuplet brackets with one end")});
  auto over_barline =
      lilypond_of(plain("D") + plain("D") + plain("D") + note_with("C", start, "", triplet) +
                  "</measure><measure number=\"2\">" + note_with("C", stop, "", triplet));
  CHECK(over_barline.left_out == losses{once_in_measure("tuplet brackets across barlines")});
}

TEST_CASE("a note without pitch is at the height that its clef gives it") {
  auto drum = [](const char* step) {
    auto at = step ? "<display-step>" + std::string{step} +
                         "</display-step><display-octave>4</display-octave>"
                   : std::string{};
    return "<note><unpitched>" + at +
           "</unpitched><duration>1</duration><voice>1</voice><type>quarter</type></note>";
  };
  auto with_clef = [](const std::string& clef, const char* fifths = "0") {
    return "<attributes><divisions>1</divisions><key><fifths>" + std::string{fifths} +
           "</fifths></key>" + clef + "</attributes>";
  };
  auto sounds = losses{once_in_measure("sounds of notes without pitch")};
  auto treble = lilypond_of(with_clef("") + drum("E") + plain("C"));
  CHECK(has(treble, "e'4 c'4"));
  CHECK(treble.left_out == sounds);
  // Read as in the treble clef, where e4 is on the bottom line; LilyPond has c' on the middle one.
  CHECK(has(lilypond_of(with_clef("<clef><sign>percussion</sign></clef>") + drum("E") + plain("C")),
            "f4 c'4"));
  CHECK(
      has(lilypond_of(with_clef("<clef><sign>F</sign><line>4</line></clef>") + drum("E")), "e'4"));
  // On the middle line: d3 in the bass clef, b4 in the treble clef.
  CHECK(has(lilypond_of(with_clef("<clef><sign>F</sign><line>4</line></clef>") + drum(nullptr)),
            "d4"));
  CHECK(has(lilypond_of(with_clef("") + drum(nullptr)), "b'4"));
  // No accidental is drawn beside it: in E flat major the letter is flat by itself.
  CHECK(has(lilypond_of(with_clef("", "-3") + drum("E")), "ees'4"));
}

}  // namespace musicxml_test::lilypond_lines_test
