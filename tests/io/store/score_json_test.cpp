#include "io/json/score_fields.hpp"
#include "tests/core/session/session_values.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <catch2/catch.hpp>

namespace fermata::io::score_json_test {

namespace {

/// A value with every member set to something that is not its default, as far as its type allows.
preserved something() {
  preserved_xml x;
  x.attributes = {{"default-y", "3"}};
  x.children = {{"<x a=\"1\"/>"}};
  return x;
}

note full_note() {
  note n;
  n.tone = pitch{step::f, 100, 5};
  n.tie = {true, true};
  n.accidental = displayed_accidental{"sharp", something()};
  n.marks = {{mark_table().front().kind, "t", something()}, {mark_table().back().kind, "", {}}};
  n.spanners = {{spanner_kind::slur, span_end::start, 2, "text", something()},
                {spanner_kind::wavy_line, span_end::continue_, 1, "", {}}};
  lyric l;
  l.number = "2";
  l.syllables = {{"-", "begin", "la", something()}};
  l.extend = "start";
  l.humming = l.laughing = l.end_line = l.end_paragraph = true;
  l.extra = something();
  n.lyrics = {l};
  n.beams = {{2, "begin", something()}};
  n.stem = "up";
  n.notehead = notehead{"diamond", "no", "yes", something()};
  n.instrument = "P1-I1";
  n.differs = chord_difference{quarters{rational{1, 3}}, note_value{note_base::breve, 2}, true, "2",
                               std::uint8_t{2}};
  n.extra = something();
  return n;
}

measure full_measure() {
  measure m;
  m.number = "X1";
  m.implicit = true;
  m.padded_to = measure_position{rational{7, 3}};
  m.extra = something();
  auto add = [&](measure_content content) {
    m.items.push_back({measure_position{rational{1, 12}}, std::move(content)});
  };
  chord_rest c;
  c.length = quarters{rational{2, 3}};
  c.written = note_value{note_base::quarter, 1};
  c.tuplet = time_modification{5, 4, note_value{note_base::eighth, 0}};
  c.grace = grace_info{true, "10", "20", "30", "yes"};
  c.cue = true;
  c.voice = "3";
  c.staff = 2;
  c.staff_given = true;
  c.notes = {full_note(), full_note()};
  c.notes[1].tone = unpitched{step::b, 3};
  add(c);
  chord_rest silence;
  silence.notes.resize(1);
  silence.notes[0].tone = rest{true, step::d, 5};
  add(silence);
  direction d;
  d.types = {dynamics{{"f", "p"}, something()},
             wedge{"crescendo", 2, something()},
             words{"dolce", something()},
             rehearsal_mark{"A", something()},
             segno_mark{something()},
             coda_mark{something()},
             metronome{note_value{note_base::half, 1}, "66.5", note_value{}, something()},
             pedal{"start", something()},
             octave_shift{"up", 15, 2, something()},
             line_end{true, "stop", 3, something()},
             fragment{"<harp-pedals/>"}};
  d.placement = "above";
  d.voice = "1";
  d.staff = 2;
  d.offset = quarters{rational{-1, 2}};
  d.sound = sound{something()};
  d.extra = something();
  add(d);
  attributes a;
  key_signature key;
  key.fifths = -3;
  key.mode = mode::dorian;
  key.other_mode = "mixed";
  key.cancel = 2;
  key.cancel_location = "left";
  key.alterations = {{{step::e, -50}, "quarter-flat", 5, "accidentalQuarterToneFlatStein"}};
  key.key_octaves = {{1, 4}, {2, 5, "yes"}};
  a.keys = {{1, key, something()}};
  a.times = {{std::nullopt, {{{{3, 2}, 8}}, "note", "x"}, something()}};
  a.staves = 2;
  a.clefs = {{2, {"F", 4, -1}, something()}};
  a.transpositions = {{1, {-1, true, "-2.5", -1, true, "yes"}, something()}};
  a.multiple_rest = 4;
  a.others = {{"<staff-details/>"}};
  a.extra = something();
  add(a);
  harmony h;
  h.root = pitch_name{step::b, -100};
  h.function = "V7";
  h.numeral = {"<numeral/>"};
  h.kind = "dominant";
  h.kind_text = "7";
  h.bass = pitch_name{step::d, 0};
  h.inversion = 1;
  h.degrees = {{9, -100, "add", something()}};
  h.offset = quarters{rational{1}};
  h.staff = 1;
  h.extra = something();
  add(h);
  add(figured_bass{
      {{"sharp", "6", "slash", something()}}, quarters{rational{1}}, true, something()});
  add(barline{"middle", "light-heavy", "backward", 3, "yes", "1, 2", "stop", "1.", something()});
  add(sound{something()});
  add(print_layout{"yes", "no", something()});
  add(fragment{"<listening/>"});
  return m;
}

}  // namespace

TEST_CASE("whatever stands in a measure is the same after it was written and read") {
  auto m = full_measure();
  auto text = write_json(m);
  measure again;
  json_fault fault;
  INFO(boost::json::serialize(text));
  REQUIRE(read_json(text, again, fault));
  CHECK(again == m);
}

TEST_CASE("a whole score is the same after it was written and read") {
  score s;
  s.header = {"1",
              "T",
              "2",
              "M",
              {{"composer", "C", something()}},
              {{"", "R", {}}},
              "src",
              {{"<software/>"}},
              {{"<opus/>"}},
              {{"<relation/>"}},
              {{"<defaults/>"}},
              {{"1", {"title"}, {{"", "Words", something()}}, something()}}};
  auto p = std::make_shared<part>();
  p->id = "P9";
  p->name = "Viola";
  p->abbreviation = "Va.";
  p->instruments = {{"I", "n", "a", "s", 1, 2, 3, 4, "80", "10", "5", something(), something()}};
  p->measures = {std::make_shared<const measure>(full_measure())};
  p->extra = something();
  s.parts = {p};
  s.part_list = {part_group{"2", "start", "Strings", "Str.", "bracket", "yes", something()},
                 std::size_t{0}};
  s.extra = something();
  score again;
  json_fault fault;
  REQUIRE(read_json(write_json(s), again, fault));
  CHECK(again == s);
  CHECK(content_hash(again) == content_hash(s));
}

TEST_CASE("a change runs both ways after it was written and read") {
  session_by_hand s;
  for (auto line : {"(part :piano (measure (note c4 :w)))", "(part :violin (measure (note e5 :w)))",
                    "(score :title \"T\" (part :flute (measure (note g5 :w))))"}) {
    auto before = s.state.score;
    auto entry = s.type(line);
    score_delta again;
    json_fault fault;
    REQUIRE(read_json(write_json(*delta_of(*entry)), again, fault));
    CHECK(again == *delta_of(*entry));
    auto forwards = applied(again, before);
    REQUIRE(forwards);
    CHECK(**forwards == *s.state.score);
    auto backwards = applied(inverted(again), s.state.score);
    REQUIRE(backwards);
    CHECK(**backwards == *before);
  }
}

TEST_CASE("what is wrong with a stored score is told with its place") {
  measure m;
  json_fault fault;
  auto wrong = boost::json::parse(R"({"items":[{"at":0},{"content":{"barline":{"style":3}}}]})");
  CHECK_FALSE(read_json(wrong, m, fault));
  CHECK(fault.path == "/items/1/content/barline/style");
  CHECK(fault.what == "a string");
}

}  // namespace fermata::io::score_json_test
