#include "midi/performance/swing.hpp"

#include "tests/midi/performance/heard.hpp"

#include <catch2/catch.hpp>

namespace fermata::midi::swing_test {

using namespace testing;

namespace {

sound swing_sound(const std::string& content) {
  sound s;
  s.extra = preserved_xml{{}, {{"<swing>" + content + "</swing>"}}};
  return s;
}

/// The notes with this swing, all of them tenuto.
std::string swung_notes(const char* notes, measure_content sign) {
  auto m = bar(notes);
  for (std::size_t i = 0; i < m.items.size(); ++i)
    mark_note(m, i, mark_kind::tenuto);
  return heard(*one_measure(lead(m, std::move(sign))));
}

}  // namespace

TEST_CASE("swung eighths are long and short") {
  // MusicXML 4.0, "swing": first 2 and second 1 are a quarter and an eighth of a triplet.
  CHECK(swung_notes("c4:8 d4:8 e4:8 f4:8 r:h", swing_sound("<first>2</first><second>1</second>")) ==
        "0+2/3:60 2/3+1/3:62 1+2/3:64 5/3+1/3:65");
  CHECK(swung_notes("c4:8 d4:8 r:q r:h", swing_sound("<first>3</first><second>2</second>")) ==
        "0+3/5:60 3/5+2/5:62");
  CHECK(swung_notes("c4:8 d4:8 r:q r:h", text("Swing")) == "0+2/3:60 2/3+1/3:62");
}

TEST_CASE("swung 16ths leave the eighths where they are") {
  CHECK(
      swung_notes("c4:16 d4:16 e4:8 r:q r:h",
                  swing_sound("<first>2</first><second>1</second><swing-type>16th</swing-type>")) ==
      "0+1/3:60 1/3+1/6:62 1/2+1/2:64");
}

TEST_CASE("a syncopated quarter begins late and ends late") {
  CHECK(swung_notes("c4:8 d4:q e4:8 r:h", text("Swing")) == "0+2/3:60 2/3+1:62 5/3+1/3:64");
}

TEST_CASE("tuplets are not swung") {
  auto m = bar("c4:1/3 d4:1/3 e4:1/3 r:q r:h");
  for (std::size_t i = 0; i < 3; ++i) {
    chord_in(m, i).written = parse_note_value("8");
    mark_note(m, i, mark_kind::tenuto);
  }
  CHECK(heard(*one_measure(lead(m, text("Swing")))) == "0+1/3:60 1/3+1/3:62 2/3+1/3:64");
}

TEST_CASE("straight ends the swing, and machines do not swing") {
  CHECK(swung_notes("c4:8 d4:8 r:q r:h", swing_sound("<straight/>")) == "0+1/2:60 1/2+1/2:62");
  auto first = bar("c4:8 d4:8 r:q r:h"), second = bar("c4:8 d4:8 r:q r:h", "2");
  lead(first, text("Swing"));
  lead(second, swing_sound("<straight/>"));
  auto s = make_score({make_part({first, second})});
  CHECK(notes_of(render_or_throw(*s, performed()))[3].onset == quarters{rational{9, 2}});
  CHECK(heard(*s, exact()) == "0+1/2:60 1/2+1/2:62 4+1/2:60 9/2+1/2:62");
}

TEST_CASE("the eighth of a pickup is the short one") {
  auto pickup = bar("c4:8"), full = bar("d4:w", "1");
  lead(pickup, text("Swing"));
  lead(pickup, with_time(4, 4));
  // The beat is [-1/2, 1/2): the pickup is played 1/6 later than straight.
  auto notes = notes_of(render_or_throw(*make_score({make_part({pickup, full})}), performed()));
  CHECK(notes[0].onset == quarters{rational{1, 6}});
  CHECK(notes[1].onset == quarters{rational{1, 2}});
}

TEST_CASE("a swung place keeps to the beat") {
  swing s{quarters{rational{1, 2}}, 2, 1};
  CHECK(swung(quarters{0}, s) == quarters{0});
  CHECK(swung(quarters{rational{1, 4}}, s) == quarters{rational{1, 3}});
  CHECK(swung(quarters{rational{3, 4}}, s) == quarters{rational{5, 6}});
  CHECK(swung(quarters{5}, s) == quarters{5});
}

}  // namespace fermata::midi::swing_test
