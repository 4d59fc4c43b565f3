#include "evaluated.hpp"

namespace fermata::note_form_test {

using namespace fermata::test;

namespace {

const chord_rest& chord_rest_of(const music_ptr& m) {
  auto content = std::get_if<measure_content>(&m->data);
  REQUIRE(content);
  return std::get<chord_rest>(*content);
}

}  // namespace

TEST_CASE("a dotted value is dotted in every spelling") {
  // The original read :q. as :q.
  for (auto text : {"(note g3 :q.)", "(note g3 q.)", "(note g3 :quarter.)", "(note g3 :4.)",
                    "(note g3 :crotchet.)"}) {
    INFO(text);
    auto m = music_of(text);
    CHECK(chord_rest_of(m).length == quarters{rational(3, 2)});
    CHECK(chord_rest_of(m).written == note_value{note_base::quarter, 1});
  }
  // 512th and 1024th notes are exact: the original rounded them.
  CHECK(chord_rest_of(music_of("(note c4 :512)")).length == quarters{rational(1, 128)});
  CHECK(chord_rest_of(music_of("(note c4 :1024)")).length == quarters{rational(1, 256)});
}

TEST_CASE("the example at the original's own prompt works") {
  CHECK(shown("(note c4 :q)") == "(note c4 :q)");
}

TEST_CASE("nothing that is written vanishes") {
  // Each of these was silently skipped by the original.
  CHECK(fault_of("(note c4 :q :stacato)").code == errc::unknown_keyword);
  CHECK(fault_of("(note c4 :q :stacato)").hint.find("staccato") != std::string::npos);
  CHECK(fault_of("(measure (nte c4 :q))").code == errc::unknown_form);
  CHECK(fault_of("(measure :tiem (4 4))").code == errc::unknown_keyword);
  CHECK(fault_of("(part :violinn (measure))").code == errc::unknown_keyword);
  CHECK(fault_of("(part :violinn (measure))").hint.find("violin") != std::string::npos);
  CHECK(fault_of("(measure 3)").code == errc::wrong_type);
  CHECK(fault_of("(score :tempo 120)").code == errc::unknown_keyword);
  CHECK(fault_of("(note h4 :q)").code == errc::invalid_pitch);
  CHECK(fault_of("(note c4 :7)").code == errc::invalid_duration);
  CHECK(chord_rest_of(music_of("(note c4 :e)")).length == quarters{rational(1, 2)});
  CHECK(chord_rest_of(music_of("(note c4 :s)")).length == quarters{rational(1, 4)});
}

TEST_CASE("a note may have several ties and slurs, with numbers") {
  auto m = music_of("(note c4 :h :tie stop :tie start :slur stop :slur (start 2))");
  const auto& n = chord_rest_of(m).notes[0];
  CHECK(n.tie.start);
  CHECK(n.tie.stop);
  REQUIRE(n.spanners.size() == 2);
  CHECK(n.spanners[0].end == span_end::stop);
  CHECK(n.spanners[1].end == span_end::start);
  CHECK(n.spanners[1].number == 2);
}

TEST_CASE("every mark of the table is an option of a note") {
  for (const auto& row : mark_table()) {
    auto option = std::string{row.option};
    auto text = "(note c4 :q :" + option +
                (row.value == mark_value::none     ? ")"
                 : row.value == mark_value::number ? " 3)"
                                                   : "");
    if (row.value == mark_value::text)
      text += row.kind == mark_kind::fermata_mark     ? " angled)"
              : row.kind == mark_kind::strong_accent  ? " up)"
              : row.kind == mark_kind::arpeggiate     ? " down)"
              : row.kind == mark_kind::non_arpeggiate ? " top)"
              : row.kind == mark_kind::breath_mark    ? " comma)"
              : row.kind == mark_kind::caesura        ? " thick)"
                                                      : " \"x\")";
    INFO(text);
    auto m = music_of(text);
    REQUIRE(chord_rest_of(m).notes[0].marks.size() == 1);
    CHECK(chord_rest_of(m).notes[0].marks[0].kind == row.kind);
    CHECK(*music_of(print(*m)) == *m);
  }
}

TEST_CASE("options of notes come back from their text") {
  for (auto text : {
           "(note c#4 :q. :staccato :accent :slur start)",
           "(note c4 :q :voice 2 :staff 1 :cue)",
           "(note c4 :q :accidental (sharp cautionary) :stem up)",
           "(note c4 :8 :beam begin :lyric \"la\")",
           "(note c4 :16 :beam (begin begin))",
           "(note c4 :16 :beam (continue backward-hook))",
           "(note c4 :q :notehead (diamond :filled \"no\"))",
           "(note c4 :q :notehead (slash))",
           "(note c4 :q :lyric (\"hel\" begin :verse 2) :lyric (\"lo\" end :extend start))",
           "(note c4 :q :lyric (\"a\" end :elision \"_\" \"e\" begin))",
           "(note c4 :q :mark (staccato above) :mark (fermata \"angled\" :xml (:type "
           "\"inverted\")))",
           "(note c4 :q :fermata :fermata square :fermata inverted)",
           "(note c4 :q :dyn p :fingering 3 :string 2 :color \"#FF0000\" :id n1)",
           "(note c4 :q :glissando (start :text \"gliss.\" :xml (:line-type \"wavy\")))",
           "(note c4 :q :xml (:default-x \"83\" :dynamics \"71.5\" "
           "\"<play><mute>on</mute></play>\"))",
           "(note c4 :q :lasts 1/5)",
           "(note c4 :8 :untyped)",
           "(note c4 :8 :modification 3:2 :normal-type :8)",
           "(note c4 :q :instrument \"P1-I2\")",
           "(note c4 :q :differs (:voice \"2\" :lasts 1/8 :value :8))",
           "(rest :q :display b4)",
           "(rest :measure)",
           "(rest :w :measure :lasts 3/4)",
           "(unpitched e4 :8 :notehead x)",
           "(hit)",
           "(grace b4 :16 :slash :slur start)",
           "(grace (chord (c4 e4) :8) :slash)",
           "(grace (seq (note c4 :16) (note d4 :16)))",
           "(chord (c4 e4 g4) :q)",
           "(chord :q c4 (note e4 :tie start) g4)",
           "(chord (c4 e4) :h :tie start :stem up :arpeggiate up :staccato :slur start)",
           "(chord :q (note c4 :notehead x) (note e4 :notehead diamond))",
           "(chord (c#4 e4) :q :accidental sharp)",
       }) {
    INFO(text);
    auto m = music_of(text);
    INFO(print(*m));
    CHECK(*music_of(print(*m)) == *m);
  }
}

TEST_CASE("a chord takes its pitches and duration in every order") {
  auto canonical = music_of("(chord (c4 e4 g4) :h)");
  for (auto text : {"(chord :h (c4 e4 g4))", "(chord :h c4 e4 g4)", "(chord c4 e4 g4 :h)",
                    "(chord (c4 e4 g4) h)", "(chord :h (note c4) (note e4) (note g4))"}) {
    INFO(text);
    CHECK(*music_of(text) == *canonical);
  }
  // Cmaj7 in root position on c4.
  CHECK(shown("(chord \"Cmaj7\" :q)") == "(chord (c4 e4 g4 b4) :q)");
  CHECK(fault_of("(chord () :q)").code == errc::invalid_chord);
  CHECK(fault_of("(chord \"Xyz\" :q)").code == errc::invalid_chord);
  CHECK(fault_of("(chord (c4 e4) :q :arpegiate)").code == errc::unknown_keyword);
}

TEST_CASE("a tie on a chord ties all its notes, a tie on a note only that one") {
  auto m = music_of("(chord (c4 e4) :q :tie start)");
  CHECK(chord_rest_of(m).notes[0].tie.start);
  CHECK(chord_rest_of(m).notes[1].tie.start);
  m = music_of("(chord :q (note c4 :tie start) e4)");
  CHECK(chord_rest_of(m).notes[0].tie.start);
  CHECK_FALSE(chord_rest_of(m).notes[1].tie.start);
}

}  // namespace fermata::note_form_test
