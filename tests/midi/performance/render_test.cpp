#include "midi/performance/render.hpp"

#include "tests/midi/performance/heard.hpp"

#include <catch2/catch.hpp>

namespace fermata::midi::render_test {

using namespace testing;

namespace {

measure repeated(measure m, int times) {
  barline b;
  b.repeat = "backward";
  b.repeat_times = times;
  m.items.push_back({measure_position{4}, b});
  return m;
}

chord_rest grace(const char* pitch_text, bool slash) {
  chord_rest x;
  grace_info info;
  info.slash = slash;
  x.grace = info;
  x.notes.push_back(tone_note(pitch_text));
  return x;
}

measure stop_ties(measure m, std::size_t item) {
  for (auto& n : chord_in(m, item).notes)
    n.tie.stop = true;
  return m;
}

}  // namespace

TEST_CASE("exactly rendered notes begin and end where they are written") {
  CHECK(heard(*one_part({"c4:q <e4_g4>:h r:q", "a4:w"}), exact()) == "0+1:60 1+2:64 1+2:67 4+4:69");
}

TEST_CASE("a repeat is played twice, and each note says where it stands") {
  auto s = make_score({make_part({repeated(bar("c4:h d4:h"), 2), bar("e4:w", "2")})});
  auto p = render_or_throw(*s, exact());
  auto notes = notes_of(p);
  CHECK(heard(*s, exact()) == "0+2:60 2+2:62 4+2:60 6+2:62 8+4:64");
  REQUIRE(notes.size() == 5);
  CHECK(notes[3].source.part == 0);
  CHECK(notes[3].source.measure == 0);
  CHECK(notes[3].source.played == 1);
  CHECK(notes[3].source.item == 1);
  CHECK(notes[3].source.note == 0);
  CHECK(notes[3].source.position == measure_position{2});
  CHECK(notes[4].source.measure == 1);
  CHECK(notes[4].source.played == 2);
  CHECK(p.end == quarters{12});
}

TEST_CASE("a tied note sounds once") {
  auto s = make_score({make_part({bar("f4:w~"), stop_ties(bar("f4:h g4:h", "2"), 0)})});
  CHECK(heard(*s, exact()) == "0+6:65 6+2:67");
}

TEST_CASE("times in seconds come from the tempo") {
  auto m = bar("c4:h d4:h");
  auto d = text("Adagio");
  d.sound = sound_saying("tempo", "60");
  auto p = render_or_throw(*one_measure(lead(m, d)), exact());
  int found = 0;
  for (auto& e : p.events)
    if (auto* on = std::get_if<note_on>(&e.what); on && on->key == 62) {
      ++found;
      CHECK(e.time == std::chrono::seconds{2});
    }
  CHECK(found == 1);
}

TEST_CASE("two voices on one key do not end each other's note") {
  // c4 for a whole measure in one voice, again on the third beat in the other.
  auto m = bar("c4:w");
  add_voice(m, "r:h c4:q r:q", "2");
  // Struck again on the third beat, the key stays down until the whole note is over.
  CHECK(heard(*one_measure(m), exact()) == "0+2:60 2+2:60");
  auto together = bar("c4:q r:q r:h");
  add_voice(together, "c4:h r:h", "2");
  CHECK(heard(*one_measure(together), exact()) == "0+2:60");
}

TEST_CASE("a transposing instrument sounds where it sounds") {
  // Clarinet in B flat: a whole tone lower.
  auto m = bar("d4:w");
  attributes a;
  transposition t;
  t.chromatic = "-2";
  t.diatonic = -1;
  t.diatonic_given = true;
  a.transpositions.push_back({std::nullopt, t, {}});
  CHECK(heard(*one_measure(lead(m, a)), exact()) == "0+4:60");
}

TEST_CASE("below an octave line a note sounds as it is written") {
  // MusicXML, octave-shift: the pitch of the notes is the sounding one.
  auto m = bar("c6:w");
  octave_shift o;
  o.type = "down";
  CHECK(heard(*one_measure(lead(m, showing(o))), exact()) == "0+4:84");
}

TEST_CASE("grace notes sound also when nothing is added to the letter") {
  auto with_grace = [](bool slash) {
    auto m = bar("d4:h r:h");
    m.items.insert(m.items.begin(), {measure_position{}, grace("e4", slash)});
    return one_measure(m);
  };
  // An appoggiatura before a half note takes half of it, an acciaccatura a 32nd.
  CHECK(heard(*with_grace(false), exact()) == "0+1:64 1+1:62");
  CHECK(heard(*with_grace(true), exact()) == "0+1/8:64 1/8+15/8:62");
  // A performer joins it to its note: 7/8 of 15/8 is 105/64.
  CHECK(heard(*with_grace(true)) == "0+1/8:64 1/8+105/64:62");
}

TEST_CASE("grace notes behind a note take their time from its end") {
  auto m = bar("c4:w");
  m.items.push_back({measure_position{4}, grace("b3", false)});
  CHECK(heard(*make_score({make_part({m, bar("c4:w", "2")})}), exact()) ==
        "0+31/8:60 31/8+1/8:59 4+4:60");
}

TEST_CASE("a note that MIDI has no key for is named, and the others are played") {
  auto s = make_score({make_part({bar("c9:q c4:q r:h")}, "P1", "Flute")});
  auto m = bar("c4:h c4:h");
  std::get<pitch>(chord_in(m, 0).notes[0].tone).octave = 10;
  auto high = make_score({make_part({m}, "P1", "Flute")});
  // c10 is (10 + 1) * 12 = 132.
  auto p = render_or_throw(*high, exact());
  CHECK(notes_of(p).size() == 1);
  REQUIRE(p.left_out.size() == 1);
  CHECK(p.left_out[0].code == errc::left_out);
  CHECK(p.left_out[0].message ==
        "part Flute, measure 1: a note is not played, as MIDI keys go from 0 to 127 and it would "
        "be 132");
  CHECK(render_or_throw(*s, exact()).left_out.empty());
}

TEST_CASE("repeats that nobody would play to the end are an error with a hint") {
  auto endless = make_score({make_part({repeated(bar("c4:w"), 300'000)})});
  auto p = render(*endless);
  REQUIRE_FALSE(p);
  CHECK(p.error().first().code == errc::out_of_range);
  auto many = make_score({make_part({repeated(bar("c4:q d4:q e4:q f4:q"), 100)})});
  auto options = exact();
  options.most_notes = 399;
  p = render(*many, options);
  REQUIRE_FALSE(p);
  CHECK(p.error().first().message ==
        "the piece has more than 399 notes when its repeats are played");
  CHECK_FALSE(p.error().first().hint.empty());
  options.most_notes = 400;
  CHECK(render(*many, options));
}

TEST_CASE("a score without music is a performance without notes") {
  auto p = render_or_throw(*empty_score(), performed());
  CHECK(p.end == quarters{});
  CHECK(p.tracks.size() == 1);
  auto empty = render_or_throw(*make_score({make_part({})}), performed());
  CHECK(notes_of(empty).empty());
  CHECK(empty.tracks.size() == 2);
}

TEST_CASE("a long score is rendered whole") {
  std::vector<measure> measures;
  for (int i = 0; i < 10'000; ++i)
    measures.push_back(bar("c4:8 d4:8 e4:8 f4:8 g4:8 a4:8 b4:8 c5:8", std::to_string(i + 1)));
  auto p = render_or_throw(*make_score({make_part(std::move(measures))}), performed());
  CHECK(notes_of(p).size() == 80'000);
  CHECK(p.end == quarters{40'000});
}

TEST_CASE("Fine ends a piece within its measure") {
  auto last = bar("c4:h d4:h");
  direction fine = text("Fine");
  fine.sound = sound_saying("fine", "yes");
  put(last, 2, fine);
  barline middle;
  middle.location = "middle";
  put(last, 2, middle);
  auto back = bar("e4:w", "2");
  auto d = text("D.C. al Fine");
  d.sound = sound_saying("dacapo", "yes");
  put(back, 4, d);
  auto s = make_score({make_part({last, back})});
  CHECK(heard(*s, exact()) == "0+2:60 2+2:62 4+4:64 8+2:60");
  CHECK(render_or_throw(*s, exact()).end == quarters{10});
}

}  // namespace fermata::midi::render_test
