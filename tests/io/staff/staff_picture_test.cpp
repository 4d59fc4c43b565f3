#include "io/staff/staff_picture.hpp"

#include "core/lang/evaluate.hpp"
#include "core/lang/music/compile.hpp"

#include <catch2/catch.hpp>

#include <stdexcept>

using namespace fermata;
using namespace fermata::io;

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
