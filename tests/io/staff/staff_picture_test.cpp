#include "io/staff/staff_picture.hpp"

#include "core/lang/evaluation/evaluate.hpp"
#include "core/lang/layout/compile.hpp"
#include "io/musicxml/container/read.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <stdexcept>

namespace fermata::io::staff_picture_test {

// The pictures are drawn by hand from the rules of engraving (Gardner Read, Music Notation): heads
// on their line or space, stems an octave long (two and a half spaces at least under a beam), up
// below the middle line and down from it on, as far as the middle line for notes on ledger lines;
// accidentals before the head, dots in a space behind it; whole rests hang from the fourth line,
// half rests lie on the third; ties opposite to the stem.

namespace {

/// The value of a text as a score by itself.
score drawn(const std::string& text) {
  evaluation_request request;
  request.text = text;
  request.env = std::make_shared<const environment>();
  request.score = empty_score();
  request.commit = false;
  auto done = evaluate(request);
  if (!done) throw std::runtime_error(done.error().first().message);
  auto made = compile_score(*done->values.back().as_music());
  if (!made) throw std::runtime_error(made.error().first().message);
  return *made;
}

std::string ascii(const std::string& text, std::size_t columns = 80) {
  staff_options o;
  o.columns = columns;
  o.unicode = false;
  return '\n' + staff_picture(drawn(text), o);
}

std::size_t widest_line(const std::string& picture) {
  std::size_t widest = 0, at = 0;
  while (at < picture.size()) {
    auto end = picture.find('\n', at);
    widest = std::max(widest, end - at);
    at = end + 1;
  }
  return widest;
}

}  // namespace

TEST_CASE("middle C hangs on a ledger line of its own below the treble staff") {
  CHECK(ascii("(measure (note c4 :w))") == R"(
|-------------|
|             |
|--4----------|
|             |
|-------------|
|             |
|G-4----------|
|             |
|-------------|

     -o-
)");
}

TEST_CASE("below the middle line stems go up, from it on down, an octave long") {
  CHECK(ascii("(measure (note g4 :q) (note b4 :q) (note f5 :h))") == R"(
      |
|-----|-------o-----|
|     |       |     |
|--4--|-------|-----|
|     |       |     |
|-----|---@---|-----|
|     |   |   |     |
|G-4--@---|---|-----|
|         |   |     |
|---------|---------|
          |
          |
          |
)");
}

TEST_CASE("sharps, flats and naturals stand before their notes, and only where they are needed") {
  // F sharp once: the second is the same in this measure. The natural takes it back.
  CHECK(ascii("(measure (note f#4 :q) (note f#4 :q) (note f4 :q) (note bb4 :q))") == R"(
|------|---|----|--------|
|      |   |    |        |
|--4---|---|----|--------|
|      |   |    |        |
|------|---|----|---b@---|
|      |   |    |    |   |
|G-4---|---|----|----|---|
|     #@   @   n@    |   |
|--------------------|---|
                     |
                     |
                     |
)");
}

TEST_CASE("rests have their signs and places, and a dot lies in a space") {
  CHECK(ascii("(measure (rest :h) (rest :q.) (rest :8))") == R"(
|-------------------|
|                   |
|--4----------------|
|     _      .      |
|-----------}----7--|
|                   |
|G-4----------------|
|                   |
|-------------------|
)");
}

/// One measure of MusicXML, notes alone, four divisions in a quarter.
std::string ascii_of_xml(const std::string& notes) {
  auto read = musicxml::read(
      "<score-partwise version=\"4.0\"><part-list><score-part id=\"P1\"><part-name/></score-part>"
      "</part-list><part id=\"P1\"><measure number=\"1\"><attributes><divisions>4</divisions>"
      "<time><beats>4</beats><beat-type>4</beat-type></time></attributes>" +
          notes + "</measure></part></score-partwise>",
      "test.musicxml");
  REQUIRE(read);
  staff_options o;
  o.unicode = false;
  return '\n' + staff_picture(*read->score, o);
}

std::string xml_note(const std::string& attributes, const std::string& tone, int length,
                     const std::string& type, const std::string& behind = "") {
  return "<note" + attributes + '>' + tone + "<duration>" + std::to_string(length) +
         "</duration><voice>1</voice><type>" + type + "</type>" + behind + "</note>";
}

// MusicXML 4.0, "print-object attribute group": whether to print the object; "print-spacing" says
// whether room is left for it, and it is unless it says no.
TEST_CASE("what is hidden leaves its room and is not drawn") {
  const std::string hidden = " print-object=\"no\"", seen;
  const std::string g = "<pitch><step>G</step><octave>4</octave></pitch>", silence = "<rest/>";
  struct length {
    int divisions;
    const char* type;
    const char* behind;
  };
  for (auto& each : {length{1, "16th", ""}, length{2, "eighth", ""}, length{4, "quarter", ""},
                     length{6, "quarter", "<dot/>"}, length{8, "half", ""}}) {
    for (auto& tone : {silence, g}) {
      auto with = [&](const std::string& how) {
        return ascii_of_xml(xml_note(how, tone, each.divisions, each.type, each.behind) +
                            xml_note(seen, g, 4, "quarter"));
      };
      auto shown = with(seen), left_out = with(hidden);
      INFO(shown << left_out);
      CHECK(shown != left_out);
      CHECK(std::count(left_out.begin(), left_out.end(), '@') == 1);
      CHECK(left_out.find_first_of("}7._") == std::string::npos);
      // What is not seen is no matter: a hidden note is as a hidden rest, and what stands behind it
      // has its stem and its flag.
      if (tone == g)
        CHECK(left_out ==
              ascii_of_xml(xml_note(hidden, silence, each.divisions, each.type, each.behind) +
                           xml_note(seen, g, 4, "quarter")));
      // A flag, too, is not drawn, and needs no room.
      if (tone == g) continue;
      // As wide, and the note behind it stands where it stood.
      CHECK(widest_line(shown) == widest_line(left_out));
      CHECK(shown.rfind('@') - shown.rfind('\n', shown.rfind('@')) ==
            left_out.rfind('@') - left_out.rfind('\n', left_out.rfind('@')));
    }
  }
  auto empty =
      ascii_of_xml("<note print-object=\"no\"><rest measure=\"yes\"/><duration>16</duration>"
                   "<voice>1</voice></note>");
  CHECK(empty.find('"') == std::string::npos);
  // Of a chord only what is hidden is left out.
  auto e = std::string{"<chord/><pitch><step>E</step><octave>4</octave></pitch>"};
  auto two = ascii_of_xml(xml_note(seen, g, 4, "quarter") + xml_note(seen, e, 4, "quarter"));
  auto one = ascii_of_xml(xml_note(seen, g, 4, "quarter") + xml_note(hidden, e, 4, "quarter"));
  CHECK(std::count(two.begin(), two.end(), '@') == 2);
  CHECK(std::count(one.begin(), one.end(), '@') == 1);
}

// What a hidden note leaves of a beam is beamed as it would be written without it; the letters of
// the second column are that, by hand. Each letter is one beam of a note: begin, continue, end,
// forward and backward hook; `-` is a rest, in capitals the note is hidden.
TEST_CASE("a hidden note leaves the beam to the others of its group") {
  struct notes_case {
    std::vector<std::string> with_hidden, seen_alone;
  };
  auto spelt = [](const std::vector<std::string>& notes) {
    constexpr std::string_view letters = "bcefk";
    const std::array words{"begin", "continue", "end", "forward hook", "backward hook"};
    std::string text;
    int step = 0;
    for (auto& letters_of_note : notes) {
      std::string beams;
      auto is_hidden = std::isupper(static_cast<unsigned char>(letters_of_note.front())) != 0;
      for (std::size_t level = 0; level < letters_of_note.size(); ++level) {
        auto letter = static_cast<char>(std::tolower(letters_of_note[level]));
        if (letters.find(letter) == letters.npos) continue;
        beams += "<beam number=\"" + std::to_string(level + 1) + "\">" +
                 words[letters.find(letter)] + "</beam>";
      }
      auto tone =
          letters_of_note == "-" || letters_of_note == "--"
              ? std::string{"<rest/>"}
              : "<pitch><step>" + std::string{"GABG"[step]} + "</step><octave>4</octave></pitch>";
      auto is_rest = tone == "<rest/>";
      auto sixteenth = letters_of_note.size() == 2;
      text += xml_note(is_hidden || is_rest ? " print-object=\"no\"" : "", tone, sixteenth ? 1 : 2,
                       sixteenth ? "16th" : "eighth", beams);
      ++step;
    }
    return text;
  };
  for (auto& each : {
           notes_case{{"B", "c", "c", "e"}, {"-", "b", "c", "e"}},
           notes_case{{"B", "e"}, {"-", "x"}},
           notes_case{{"b", "E"}, {"x", "-"}},
           notes_case{{"b", "C", "e"}, {"b", "-", "e"}},
           notes_case{{"b", "c", "E"}, {"b", "e", "-"}},
           notes_case{{"B", "C", "c", "e"}, {"-", "-", "b", "e"}},
           notes_case{{"B", "c", "E"}, {"-", "x", "-"}},
           notes_case{{"BB", "cc", "cc", "ee"}, {"--", "bb", "cc", "ee"}},
           // The second beam breaks in the middle: what is left of a half has a hook.
           notes_case{{"BB", "ce", "cb", "ee"}, {"--", "bf", "cb", "ee"}},
           notes_case{{"bb", "CE", "cb", "ee"}, {"bf", "--", "cb", "ee"}},
           notes_case{{"bb", "ce", "CB", "ee"}, {"bb", "ce", "--", "ek"}},
           notes_case{{"bb", "ce", "cb", "EE"}, {"bb", "ce", "ek", "--"}},
           notes_case{{"B", "E", "b", "e"}, {"-", "-", "b", "e"}},
       }) {
    auto shown = ascii_of_xml(spelt(each.with_hidden)),
         expected = ascii_of_xml(spelt(each.seen_alone));
    CHECK(shown == expected);
    CHECK(shown.find('|', shown.find('@')) != shown.npos);
  }
}

TEST_CASE("a whole rest hangs from the fourth line") {
  CHECK(ascii("(measure (rest :w))").find("|--4----------|\n|     \"       |") !=
        std::string::npos);
}

TEST_CASE("eighths of a beat are joined by a beam, one alone has a flag") {
  CHECK(ascii("(measure (time 2 4) (note g4 :8) (note a4 :8) (rest :8) (note f4 :8))") == R"(
|-----====-----|\--|
|     |  |     |   |
|--2--|--|-----|---|
|     |  |     |   |
|-----|--|--7--|---|
|     |  @     |   |
|G-4--@--------|---|
|              @   |
|------------------|
)");
}

TEST_CASE("a tie bends away from the stem and goes over the barline") {
  CHECK(ascii("(seq (note g4 :w :tie start) (note g4 :h :tie stop))") == R"(
                |
|-------------|-|-------|
|             | |       |
|--4----------|-|-------|
|             | |       |
|-------------|-|-------|
|             | |       |
|G-4--o-------|-o-------|
|     (_______|)        |
|-------------|---------|
)");
}

// The side of every curve of a picture, from the top.
std::string curves_in(std::string_view picture) {
  std::string sides;
  for (auto c : picture)
    if (c == '~' || c == '_') {
      auto side = c == '~' ? 'u' : 'd';
      if (sides.empty() || sides.back() != side) sides += side;
    }
  return sides;
}

TEST_CASE("curves of two voices keep to the outside, whatever the stems do") {
  for (std::string value : {":h", ":w", ":q"}) {
    CAPTURE(value);
    auto two = [&](const std::string& upper, const std::string& lower) {
      return "(part :violin (measure :free (voice 1 " + upper + ") (voice 2 " + lower + ")))";
    };
    auto tied = [&](const std::string& p) {
      return "(note " + p + " " + value + " :tie start) (note " + p + " " + value + ")";
    };
    auto slurred = [&](const std::string& p, const std::string& to) {
      return "(note " + p + " " + value + " :slur start) (note " + to + " " + value +
             " :slur stop)";
    };
    CHECK(curves_in(ascii(two(tied("g5"), tied("e4")))) == "ud");
    // Crossed, the lower voice is higher up.
    CHECK(curves_in(ascii(two(tied("d4"), tied("f5")))) == "du");
    CHECK(curves_in(ascii(two(slurred("g5", "f5"), slurred("e4", "d4")))) == "ud");
  }
}

TEST_CASE("a whole note's tie bends as if it had a stem") {
  // Over the middle line the stem would go down.
  CHECK(curves_in(ascii("(seq (note e5 :w :tie start) (note e5 :w))")) == "u");
  CHECK(curves_in(ascii("(seq (note e4 :w :tie start) (note e4 :w))")) == "d");
}

TEST_CASE("in a chord the upper note of a second stands to the right") {
  CHECK(ascii("(measure (chord (c4 d4 g4) :w))") == R"(
|--------------|
|              |
|--4-----------|
|              |
|--------------|
|              |
|G-4--o--------|
|              |
|--------------|
       o
     -o--
)");
}

TEST_CASE("the key stands between clef and time, and its notes need no signs") {
  // D major: F sharp on the top line, C sharp in the third space.
  CHECK(ascii("(measure (key d :major) (time 3 4) (note f#4 :q) (note c#5 :h))") == R"(
|--#-----|---------|
|        |         |
|-----3--|---------|
|   #    |   o     |
|--------|---|-----|
|        |   |     |
|G----4--|---|-----|
|        @   |     |
|------------|-----|
             |
             |
)");
}

TEST_CASE("two staves are joined by barlines and a brace") {
  auto picture =
      ascii("(part :piano (staff 1 (measure (note g4 :w))) (staff 2 (measure (note d3 :w))))");
  CHECK(picture == R"(
Piano
/|-------------|
||             |
||--4----------|
||             |
||-------------|
||             |
||G-4--o-------|
||             |
||-------------|
<|             |
||-------------|
||             |
||F-4----------|
||             |
||-----o-------|
||             |
||--4----------|
||             |
\|-------------|
)");
}

TEST_CASE("what is wider than the terminal goes on in another system, which says its measure") {
  std::string four;
  for (int i = 0; i < 4; ++i)
    four += " (measure (note g4 :q) (note a4 :q) (note g4 :q) (note a4 :q))";
  auto picture = ascii("(part :flute" + four + ")", 50);
  CHECK(widest_line(picture) <= 50);
  // Two measures fit beside each other, so the second system begins with the third.
  CHECK(picture.find("\n\n3\n") != std::string::npos);
  // The clef is there again, the time signature is not.
  auto second = picture.substr(picture.find("\n\n3\n"));
  CHECK(second.find("|G-") != std::string::npos);
  CHECK(second.find('4') == std::string::npos);
}

TEST_CASE("a measure that is wider than the terminal is broken between its notes") {
  std::string many;
  for (int i = 0; i < 16; ++i)
    many += " (note g4 :16)";
  auto picture = ascii("(part :flute (measure" + many + "))", 30);
  CHECK(widest_line(picture) <= 30);
  std::size_t heads = 0;
  for (char c : picture)
    if (c == '@') ++heads;
  CHECK(heads == 16);
}

TEST_CASE("low music without a clef of its own is drawn in the bass clef") {
  staff_options o;
  o.unicode = false;
  o.choose_clef = true;
  CHECK(staff_picture(drawn("(note e2 :q)"), o).find('F') != std::string::npos);
  CHECK(staff_picture(drawn("(note e5 :q)"), o).find('G') != std::string::npos);
}

TEST_CASE("a tuplet has its number beyond the stems") {
  auto picture = ascii("(measure (tuplet 3:2 (note g4 :8) (note g4 :8) (note g4 :8)) (rest :h.))");
  INFO(picture);
  // The stems go up to the beam; the number stands above the staff in the middle of the three.
  auto first_line = picture.substr(1, picture.find('\n', 1) - 1);
  CHECK(first_line.find('3') != std::string::npos);
  auto beam = picture.find("=====");
  REQUIRE(beam != std::string::npos);
  auto column = beam - picture.rfind('\n', beam) - 1;
  CHECK(first_line.find('3') == column + 2);
}

TEST_CASE("in Unicode the same stands in the same cells") {
  auto s = drawn("(measure (note f#4 :q) (rest :q) (note bb4 :h))");
  staff_options o;
  CHECK('\n' + staff_picture(s, o) == R"(
┌──────│──────────────┐
│      │              │
├──4───│──────────────┤
│      │              │
├──────│───𝄽───♭○─────┤
│      │        │     │
├𝄞─4───│────────│─────┤
│     ♯●        │     │
└───────────────│─────┘
                │
                │
                │
)");
}

TEST_CASE("a score without measures has no picture") {
  CHECK(staff_picture(*empty_score()).empty());
}

}  // namespace fermata::io::staff_picture_test
