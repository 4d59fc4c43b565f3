#include "core/score/analysis/sounding.hpp"

#include "tests/core/score/notation.hpp"

#include <catch2/catch.hpp>

namespace fermata::sounding_test {

using namespace fermata::testing;

namespace {

/// "onset+length:key", blank-separated.
std::string heard(const score& s, sounding_options o = {}) {
  auto notes = sounding_notes(s, o);
  if (!notes) return notes.error().first().message;
  std::string text;
  for (auto& n : *notes)
    text += (text.empty() ? "" : " ") + to_string(n.onset.value) + "+" + to_string(n.length.value) +
            ":" + std::to_string(n.key());
  return text;
}

measure stop_ties(measure m, std::vector<std::size_t> items) {
  for (auto i : items)
    for (auto& n : std::get<chord_rest>(m.items[i].content).notes)
      n.tie.stop = true;
  return m;
}

chord_rest grace(const char* pitch_text, bool slash = false) {
  chord_rest x;
  grace_info info;
  info.slash = slash;
  x.grace = info;
  x.notes.push_back(tone_note(pitch_text));
  return x;
}

}  // namespace

TEST_CASE("notes sound where and as long as they are written") {
  CHECK(heard(*one_part({"c4:q <e4_g4>:h r:q", "a4:w"})) == "0+1:60 1+2:64 1+2:67 4+4:69");
}

TEST_CASE("tied notes sound once, over barlines and through several notes") {
  // Kainhofer 33b and the consensus of two players: one note.
  auto s = make_score({make_part({bar("f4:w~", "1"), stop_ties(bar("f4:w~", "2"), {0}),
                                  stop_ties(bar("f4:h f4:h", "3"), {0})})});
  CHECK(heard(*s) == "0+10:65 10+2:65");
}

TEST_CASE("a tie joins by height and time, not by the order in which voices are written") {
  auto first = bar("r:h g4:h~");
  auto second = bar("c5:w", "2");
  add_voice(second, "g4:w", "2");
  std::get<chord_rest>(second.items[1].content).notes[0].tie.stop = true;
  CHECK(heard(*make_score({make_part({first, second})})) == "2+6:67 4+4:72");
}

TEST_CASE("a tie without a second note, or over a rest, joins nothing") {
  CHECK(heard(*one_part({"c4:h~ d4:h"})) == "0+2:60 2+2:62");
  CHECK(heard(*make_score({make_part({stop_ties(bar("c4:q~ r:q c4:h"), {2})})})) ==
        "0+1:60 2+2:60");
}

TEST_CASE("a broken chord that is collected by ties sounds on") {
  // The usual way to write it (Gould, Behind Bars, "Ties"): each note tied into the chord at the
  // end.
  auto m = bar("c3:8~ g3:8~ <c3_g3_e4>:q. e4:q.");
  for (auto i : {0u, 1u})
    std::get<chord_rest>(m.items[2].content).notes[i].tie.stop = true;
  CHECK(heard(*make_score({make_part({m})})) == "0+5/2:48 1/2+2:55 1+3/2:64 5/2+3/2:64");
}

TEST_CASE("a tie into a second ending sounds on in each pass") {
  auto one = bar("c4:w~", "1");
  auto first = stop_ties(bar("c4:w", "2"), {0}), second = stop_ties(bar("c4:w", "3"), {0});
  barline open, back;
  open.location = "left";
  open.ending_type = "start";
  open.ending_numbers = "1";
  back.repeat = "backward";
  back.ending_type = "stop";
  lead(first, open);
  first.items.push_back({measure_position{4}, back});
  open.ending_numbers = "2";
  lead(second, open);
  CHECK(heard(*make_score({make_part({one, first, second})})) == "0+8:60 8+8:60");
}

TEST_CASE("behind a Fine within a measure nothing sounds") {
  auto last = bar("c4:q <e4_g4>:q d4:q e4:q", "2");
  add_voice(last, "c3:w", "2");
  sound fine, da_capo;
  fine.extra = preserved_xml{{{"fine", "yes"}}, {}};
  da_capo.extra = preserved_xml{{{"dacapo", "yes"}}, {}};
  last.items.push_back({measure_position{2}, fine});
  last.items.push_back({measure_position{4}, da_capo});
  auto first = bar("c5:w", "1");
  lead(first, with_time(4, 4));
  auto notes = sounding_notes(*make_score({make_part({first, last})}));
  REQUIRE(notes);
  // Twice c5 and the second measure, the second time up to its third beat, where the bass stops
  // too.
  quarters end;
  for (auto& n : *notes)
    end = std::max(end, n.onset + n.length);
  CHECK(end == quarters{4 + 4 + 4 + 2});
  CHECK(notes->size() == 1 + 6 + 1 + 4);
}

TEST_CASE("a repeat sounds twice") {
  auto m = bar("c4:h d4:h");
  barline back;
  back.repeat = "backward";
  m.items.push_back({measure_position{4}, back});
  CHECK(heard(*make_score({make_part({m})})) == "0+2:60 2+2:62 4+2:60 6+2:62");
}

TEST_CASE("transposing instruments sound their pitch, a doubling part two") {
  auto m = bar("d4:h e4:h");
  attributes a;
  transposition t;
  t.chromatic = "-2";
  a.transpositions.push_back({std::nullopt, t, {}});
  lead(m, a);
  CHECK(heard(*make_score({make_part({m})})) == "0+2:60 2+2:62");
  std::get<attributes>(m.items[0].content).transpositions[0].value.doubled = true;
  CHECK(heard(*make_score({make_part({m})})) == "0+2:48 0+2:60 2+2:50 2+2:62");
}

TEST_CASE("a change of instrument in the middle of a measure transposes from there") {
  auto m = bar("d4:h d4:h");
  attributes a;
  transposition t;
  t.chromatic = "-2";
  a.transpositions.push_back({std::nullopt, t, {}});
  m.items.insert(m.items.begin() + 1, {measure_position{2}, a});
  CHECK(heard(*make_score({make_part({m})})) == "0+2:62 2+2:60");
}

TEST_CASE("a grace note without slash takes half of its note") {
  // Kainhofer 24f: half, grace, half; the consensus of two players has onsets 0, 96, 144 in 48ths.
  auto m = bar("e5:h e5:h");
  m.items.insert(m.items.begin() + 1, {measure_position{2}, grace("g5")});
  CHECK(heard(*make_score({make_part({m})})) == "0+2:76 2+1:79 3+1:76");
  CHECK(heard(*make_score({make_part({m})}), {false}) == "0+2:76 2+2:76");
}

TEST_CASE("several grace notes share that half") {
  // Kainhofer 24g: four graces before a quarter; consensus: 0 6 12 18 24 in 48ths of a quarter.
  measure m;
  for (auto p : {"g5", "f5", "e5", "d5"})
    m.items.push_back({measure_position{}, grace(p)});
  m.items.push_back({measure_position{}, line("c5:q")[0]});
  CHECK(heard(*make_score({make_part({m})})) ==
        "0+1/8:79 1/8+1/8:77 1/4+1/8:76 3/8+1/8:74 1/2+1/2:72");
}

TEST_CASE("a grace note before a dotted note takes two thirds, with a slash a 32nd") {
  // C. P. E. Bach, Versuch I, 2.2: the long appoggiatura takes two thirds of a dotted note.
  auto dotted = bar("e5:h.");
  dotted.items.insert(dotted.items.begin(), {measure_position{}, grace("f5")});
  CHECK(heard(*make_score({make_part({dotted})})) == "0+2:77 2+1:76");
  auto slashed = bar("e5:q");
  slashed.items.insert(slashed.items.begin(), {measure_position{}, grace("f5", true)});
  CHECK(heard(*make_score({make_part({slashed})})) == "0+1/8:77 1/8+7/8:76");
}

TEST_CASE("grace notes that no note of their measure can give time sound for a 32nd each") {
  auto beside = bar("c4:w");
  for (auto p : {"d5", "e5"}) {
    auto g = grace(p);
    g.voice = "2";
    beside.items.push_back({measure_position{}, g});
  }
  CHECK(heard(*make_score({make_part({beside})})) == "0+4:60 0+1/8:74 1/8+1/8:76");

  auto over = stop_ties(bar("f4:w", "2"), {0});
  over.items.insert(over.items.begin(), {measure_position{}, grace("g4")});
  CHECK(heard(*make_score({make_part({bar("f4:w~"), over})})) == "0+8:65 4+1/8:67");
}

TEST_CASE("a grace note that would take time from the note before takes it from the next if none "
          "is before") {
  auto m = bar("c5:h c5:h");
  auto g = grace("f5");
  g.grace = grace_info{.steal_previous = "25"};
  m.items.insert(m.items.begin(), {measure_position{}, g});
  CHECK(heard(*make_score({make_part({m})})) == "0+1:77 1+1:72 2+2:72");
}

TEST_CASE("notes for certain passes sound in these") {
  auto m = bar("c4:h d4:h");
  std::get<chord_rest>(m.items[0].content).notes[0].extra = preserved_xml{{{"time-only", "2"}}, {}};
  std::get<chord_rest>(m.items[1].content).notes[0].extra =
      preserved_xml{{{"time-only", "1, 3"}}, {}};
  barline back;
  back.location = "right";
  back.repeat = "backward";
  m.items.push_back({measure_position{4}, back});
  CHECK(heard(*make_score({make_part({m})})) == "2+2:62 4+2:60");
}

TEST_CASE("grace notes after the last note take their time from it") {
  auto m = bar("e5:w");
  m.items.push_back({measure_position{4}, grace("d5")});
  m.items.push_back({measure_position{4}, grace("e5")});
  CHECK(heard(*make_score({make_part({m, bar("f5:w", "2")})})) ==
        "0+15/4:76 15/4+1/8:74 31/8+1/8:76 4+4:77");
}

TEST_CASE("steal-time percentages come first") {
  auto m = bar("e5:q");
  auto g = grace("f5");
  g.grace = grace_info{.steal_following = "25"};
  m.items.insert(m.items.begin(), {measure_position{}, g});
  CHECK(heard(*make_score({make_part({m})})) == "0+1/4:77 1/4+3/4:76");
}

TEST_CASE("cue notes are silent and percussion has its drum key") {
  auto m = bar("c4:h d4:h");
  std::get<chord_rest>(m.items[0].content).cue = true;
  std::get<chord_rest>(m.items[1].content).notes[0].tone = unpitched{step::c, 5};
  auto p = *make_part({m});
  part_instrument drum;
  drum.id = "P1-I1";
  drum.midi_unpitched = 39;  // MusicXML counts from 1: acoustic snare, key 38
  p.instruments.push_back(drum);
  CHECK(heard(*make_score({std::make_shared<const part>(p)})) == "2+2:38");
}

TEST_CASE("parts run together although one of their measures is short") {
  auto s = make_score({make_part({bar("c4:h", "1"), bar("d4:w", "2")}),
                       make_part({bar("c3:w", "1"), bar("d3:w", "2")}, "P2")});
  CHECK(heard(*s) == "0+2:60 0+4:48 4+4:62 4+4:50");
}

TEST_CASE("notes of equal onset come by part and height") {
  auto notes =
      *sounding_notes(*make_score({make_part({bar("<g4_c4>:w")}), make_part({bar("e3:w")}, "P2")}));
  REQUIRE(notes.size() == 3);
  CHECK(notes[0].key() == 60);
  CHECK(notes[1].key() == 67);
  CHECK(notes[2].part == 1);
  CHECK(notes[1].note == 0);
}

TEST_CASE("a tremolo on one note repeats it, in a tuplet three to the beat") {
  auto m = bar("g4:q a4:q");
  auto& plain = std::get<chord_rest>(m.items[1].content);
  plain.notes[0].marks.push_back({mark_kind::tremolo, "2", {}});
  // Kainhofer 23e: a dotted quarter, one stroke, in 3:2 lasts a quarter and sounds three times.
  auto& triplet = std::get<chord_rest>(m.items[0].content);
  triplet.tuplet = time_modification{3, 2, note_value{note_base::eighth, 0}};
  triplet.notes[0].marks.push_back({mark_kind::tremolo, "1", {}});
  auto s = make_score({make_part({m})});
  CHECK(heard(*s) == "0+1/3:67 1/3+1/3:67 2/3+1/3:67 "
                     "1+1/4:69 5/4+1/4:69 3/2+1/4:69 7/4+1/4:69");
  sounding_options once;
  once.tremolos = false;
  CHECK(heard(*s, once) == "0+1:67 1+1:69");
}

TEST_CASE("a tremolo between two notes alternates them") {
  // Two notes written as halves that together last a half; two strokes are sixteenths.
  auto m = bar("c4:q e4:q");
  for (std::size_t i : {0u, 1u}) {
    auto& x = std::get<chord_rest>(m.items[i].content);
    x.tuplet = time_modification{2, 1, std::nullopt};
    x.notes[0].spanners.push_back(
        {spanner_kind::tremolo, i == 0 ? span_end::start : span_end::stop, 1, "1", {}});
  }
  CHECK(heard(*make_score({make_part({m})})) == "0+1/2:60 1/2+1/2:64 1+1/2:60 3/2+1/2:64");
}

TEST_CASE("an unmeasured tremolo is played in 32nds") {
  auto m = bar("g4:8");
  std::get<chord_rest>(m.items[0].content)
      .notes[0]
      .marks.push_back({mark_kind::tremolo, "0", preserved_xml{{{"type", "unmeasured"}}, {}}});
  CHECK(heard(*make_score({make_part({m})})) == "0+1/8:67 1/8+1/8:67 1/4+1/8:67 3/8+1/8:67");
}

TEST_CASE("a tremolo that is tied goes on, and the note to which it is tied is struck") {
  auto m = bar("g4:8~ g4:8~ g4:8");
  for (std::size_t i : {0, 1})
    std::get<chord_rest>(m.items[i].content)
        .notes[0]
        .marks.push_back({mark_kind::tremolo, "2", {}});
  for (std::size_t i : {1, 2})
    std::get<chord_rest>(m.items[i].content).notes[0].tie.stop = true;
  CHECK(heard(*make_score({make_part({m})})) ==
        "0+1/4:67 1/4+1/4:67 1/2+1/4:67 3/4+1/4:67 1+1/2:67");
}

TEST_CASE("the last stroke of a tremolo takes what is left") {
  // 16ths in a note of two thirds of a quarter.
  auto m = bar("g4:q");
  auto& x = std::get<chord_rest>(m.items[0].content);
  x.length = quarters{rational{2, 3}};
  x.notes[0].marks.push_back({mark_kind::tremolo, "2", {}});
  CHECK(heard(*make_score({make_part({m})})) == "0+1/4:67 1/4+5/12:67");
}

}  // namespace fermata::sounding_test
