#include "midi/performance/ornament.hpp"

#include "tests/midi/performance/heard.hpp"

#include <catch2/catch.hpp>

namespace fermata::midi::ornament_test {

using namespace testing;

namespace {

/// "share:cents" of each tone.
std::string tones(const char* pitch_text, mark_kind kind, rational length = 1,
                  const key_signature& key = {}, preserved extra = {}) {
  auto n = tone_note(pitch_text);
  n.marks.push_back({kind, "", std::move(extra)});
  std::string text;
  for (auto& t : ornament_tones(n, quarters{length}, key))
    text += (text.empty() ? "" : " ") + to_string(t.from) + ":" + std::to_string(t.cents);
  return text;
}

}  // namespace

TEST_CASE("ornaments are played as the MusicXML schema says") {
  // musicxml.xsd, "trill-sound": start-note upper (main for mordents), beats 4 (3), second-beat 25
  // (12), last-beat 75 (24). Neighbours of d4 in C major: e4 (200), c4 (-200).
  CHECK(tones("d4", mark_kind::mordent) == "0:0 3/25:-200 6/25:0");
  CHECK(tones("d4", mark_kind::inverted_mordent) == "0:0 3/25:200 6/25:0");
  CHECK(tones("d4", mark_kind::turn) == "0:200 1/4:0 1/2:-200 3/4:0");
  CHECK(tones("d4", mark_kind::inverted_turn) == "0:-200 1/4:0 1/2:200 3/4:0");
  CHECK(tones("d4", mark_kind::delayed_turn) == "0:0 1/2:200 5/8:0 3/4:-200 7/8:0");
  CHECK(tones("d4", mark_kind::delayed_inverted_turn) == "0:0 1/2:-200 5/8:0 3/4:200 7/8:0");
  CHECK(tones("d4", mark_kind::shake) == "0:200 1/4:0 1/2:200 3/4:0");
  CHECK(tones("d4", mark_kind::vertical_turn) == "0:200 1/4:0 1/2:-200 3/4:0");
  CHECK(tones("d4", mark_kind::inverted_vertical_turn) == "0:-200 1/4:0 1/2:200 3/4:0");
}

TEST_CASE("a trill has as many notes as 32nds fit, from the upper note to the main one") {
  CHECK(tones("d4", mark_kind::trill_mark, {3, 4}) == "0:200 1/6:0 1/3:200 1/2:0 2/3:200 5/6:0");
  CHECK(tones("d4", mark_kind::trill_mark, {1, 8}) == "0:200 1/4:0 1/2:200 3/4:0");
  CHECK(tones("d4", mark_kind::trill_mark, {3, 4}, {}, with_attributes({{"start-note", "main"}})) ==
        "0:0 1/5:200 2/5:0 3/5:200 4/5:0");
}

TEST_CASE("a schleifer comes by step from a third below") {
  // b3 (-300) and c4 (-200) before d4: 32nds, half of the note at most.
  CHECK(tones("d4", mark_kind::schleifer) == "0:-300 1/8:-200 1/4:0");
  CHECK(tones("d4", mark_kind::schleifer, {1, 4}) == "0:-300 1/4:-200 1/2:0");
}

TEST_CASE("Haydn's sign is played as a turn") {
  CHECK(tones("d4", mark_kind::haydn) == "0:200 1/4:0 1/2:-200 3/4:0");
}

TEST_CASE("what the file says about an ornament is obeyed") {
  CHECK(tones("d4", mark_kind::trill_mark, 1, {},
              with_attributes({{"beats", "4"}, {"trill-step", "half"}})) ==
        "0:100 1/4:0 1/2:100 3/4:0");
  CHECK(tones("d4", mark_kind::trill_mark, 1, {},
              with_attributes({{"beats", "2"}, {"two-note-turn", "half"}})) ==
        "0:200 1/4:0 1/2:-100 3/4:0");
  CHECK(tones("d4", mark_kind::mordent, 1, {},
              with_attributes({{"second-beat", "20"}, {"last-beat", "50"}})) ==
        "0:0 1/5:-200 1/2:0");
  CHECK(tones("d4", mark_kind::mordent, 1, {}, with_attributes({{"long", "yes"}})) ==
        "0:0 3/25:-200 6/25:0 9/25:-200 12/25:0");
}

TEST_CASE("the notes beside come from the key, and from accidentals at the ornament") {
  key_signature g_major;
  g_major.fifths = 1;
  CHECK(tones("e4", mark_kind::inverted_mordent) == "0:0 3/25:100 6/25:0");
  CHECK(tones("e4", mark_kind::inverted_mordent, 1, g_major) == "0:0 3/25:200 6/25:0");
  // b3 to c4 over the octave, and c4 down to b3.
  CHECK(tones("b3", mark_kind::inverted_mordent) == "0:0 3/25:100 6/25:0");
  CHECK(tones("c4", mark_kind::mordent) == "0:0 3/25:-100 6/25:0");
  auto n = tone_note("d4");
  n.marks.push_back({mark_kind::trill_mark, "", {}});
  n.marks.push_back({mark_kind::ornament_accidental, "flat", {}});
  auto found = ornament_tones(n, quarters{rational{1, 2}}, {});
  REQUIRE(found.size() == 4);
  CHECK(found[0].cents == 100);  // e flat
}

TEST_CASE("a trilled note is heard as its notes") {
  auto m = bar("d4:8 r:8 r:q r:h");
  mark_note(m, 0, mark_kind::trill_mark);
  mark_note(m, 0, mark_kind::tenuto);
  CHECK(heard(*one_measure(m)) == "0+1/8:64 1/8+1/8:62 1/4+1/8:64 3/8+1/8:62");
  CHECK(heard(*one_measure(m), exact()) == "0+1/2:62");
  // Without a mark the last note ends 1/16 early: 7/8 of an eighth is 7/16.
  auto plain = bar("d4:8 r:8 r:q r:h");
  mark_note(plain, 0, mark_kind::trill_mark);
  CHECK(heard(*one_measure(plain)) == "0+1/8:64 1/8+1/8:62 1/4+1/8:64 3/8+1/16:62");
}

TEST_CASE("a wavy line without a trill mark is a trill of the notes under it") {
  auto m = bar("d4:8 e4:8 f4:8 r:8 r:h");
  auto put = [&](std::size_t item, span_end end) {
    chord_in(m, item).notes[0].spanners.push_back({spanner_kind::wavy_line, end, 1, "", {}});
  };
  put(0, span_end::start);
  put(1, span_end::stop);
  CHECK(heard(*one_measure(m)) ==
        "0+1/8:64 1/8+1/8:62 1/4+1/8:64 3/8+1/16:62 1/2+1/8:65 5/8+1/8:64 3/4+1/8:65 7/8+1/16:64 "
        "1+7/16:65");
  CHECK(heard(*one_measure(m), exact()) == "0+1/2:62 1/2+1/2:64 1+1/2:65");
}

TEST_CASE("a wavy line over one note trills it, also without its other end") {
  using ends = std::vector<span_end>;
  for (auto& all : {ends{span_end::start, span_end::stop}, ends{span_end::start}}) {
    auto m = bar("d4:8 e4:8 r:q r:h");
    for (auto end : all)
      chord_in(m, 0).notes[0].spanners.push_back({spanner_kind::wavy_line, end, 1, "", {}});
    CHECK(heard(*one_measure(m)) == "0+1/8:64 1/8+1/8:62 1/4+1/8:64 3/8+1/16:62 1/2+7/16:64");
  }
}

TEST_CASE("of a chord under a wavy line only the notes that have ornaments are ornamented") {
  auto m = bar("<d4_g4>:8 r:8 r:q r:h");
  mark_note(m, 0, mark_kind::tenuto);
  auto& upper = chord_in(m, 0).notes[1];
  for (auto end : {span_end::start, span_end::stop})
    upper.spanners.push_back({spanner_kind::wavy_line, end, 1, "", {}});
  auto all = "0+1/8:64 0+1/8:69 1/8+1/8:62 1/8+1/8:67 1/4+1/8:64 1/4+1/8:69 3/8+1/8:62 3/8+1/8:67";
  CHECK(heard(*one_measure(m)) == all);
  upper.marks.push_back({mark_kind::trill_mark, "", {}});
  CHECK(heard(*one_measure(m)) == "0+1/2:62 0+1/8:69 1/8+1/8:67 1/4+1/8:69 3/8+1/8:67");
}

TEST_CASE("an ornament on the second note of a tie begins with it") {
  auto m = bar("d4:q~ d4:8 r:8 r:h");
  chord_in(m, 1).notes[0].tie.stop = true;
  mark_note(mark_note(m, 1, mark_kind::turn), 0, mark_kind::tenuto);
  CHECK(heard(*one_measure(m)) == "0+1:62 1+1/8:64 9/8+1/8:62 5/4+1/8:60 11/8+1/8:62");
}

TEST_CASE("a trill of a drum is a roll") {
  note n;
  n.tone = unpitched{};
  n.marks.push_back({mark_kind::trill_mark, "", with_attributes({{"two-note-turn", "whole"}})});
  std::string strokes;
  for (auto& t : ornament_tones(n, quarters{rational{1, 2}}, {}))
    strokes += to_string(t.from) + ":" + std::to_string(t.cents) + " ";
  // Four 32nds and the two of the turn.
  CHECK(strokes == "0:0 1/6:0 1/3:0 1/2:0 2/3:0 5/6:0 ");
}

TEST_CASE("ornaments without agreed notes are named") {
  auto m = bar("d4:q e4:q f4:h");
  mark_note(m, 0, mark_kind::other_ornament, "ornamentLeftFacingHook");
  mark_note(m, 1, mark_kind::smear);
  mark_note(m, 2, mark_kind::smear);
  auto p = render_or_throw(*one_measure(m), performed());
  REQUIRE(p.left_out.size() == 2);
  CHECK(p.left_out[0].message == "not played: other-ornament (in measure 1)");
  CHECK(p.left_out[1].message == "not played: smear (2, first in measure 1)");
  CHECK(render_or_throw(*one_measure(m), exact()).left_out.empty());
}

TEST_CASE("the key signature of the measure counts for a trill in it") {
  auto m = bar("e4:8 r:8 r:q r:h");
  mark_note(mark_note(m, 0, mark_kind::turn), 0, mark_kind::tenuto);
  attributes a;
  key_signature k;
  k.fifths = 3;  // f sharp, d natural
  a.keys.push_back({std::nullopt, k, {}});
  CHECK(heard(*one_measure(lead(m, a))) == "0+1/8:66 1/8+1/8:64 1/4+1/8:62 3/8+1/8:64");
}

TEST_CASE("a measured tremolo is played out, on one note and between two") {
  auto one = bar("c4:q r:q r:h");
  mark_note(one, 0, mark_kind::tremolo, "2");
  CHECK(heard(*one_measure(one), exact()) == "0+1/4:60 1/4+1/4:60 1/2+1/4:60 3/4+1/4:60");
  // Two half notes in the time of one, with one stroke: eighths in turn.
  auto two = bar("c4:1/1 e4:1/1 r:h");
  for (auto item : {0u, 1u}) {
    auto& x = chord_in(two, item);
    x.tuplet = time_modification{2, 1, {}};
    x.notes[0].spanners.push_back(
        {spanner_kind::tremolo, item == 0 ? span_end::start : span_end::stop, 1, "1", {}});
  }
  CHECK(heard(*one_measure(two), exact()) == "0+1/2:60 1/2+1/2:64 1+1/2:60 3/2+1/2:64");
}

}  // namespace fermata::midi::ornament_test
