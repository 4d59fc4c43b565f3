#include "midi/smf/to_score.hpp"

#include "core/score/analysis/sounding.hpp"
#include "core/score/analysis/validate.hpp"
#include "midi/smf/meta.hpp"
#include "midi/smf/read.hpp"
#include "tests/core/score/notation.hpp"
#include "tests/midi/smf/bytes.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <random>

namespace fermata::smf_to_score_test {

using namespace fermata::midi::smf;
using fermata::testing::spelled;
using fermata::testing::smf::bytes;
using fermata::testing::smf::track_chunk;

namespace {

/// A track of notes at 96 ticks per quarter: {key, on, off}.
struct hit {
  int key;
  ticks on, off;
};

track track_of(std::initializer_list<hit> hits, int channel = 0) {
  track t;
  for (auto& h : hits) {
    auto status = static_cast<std::uint8_t>(0x90 | channel);
    auto key = static_cast<std::uint8_t>(h.key);
    t.events.push_back({h.on, channel_message{status, key, 64}});
    t.events.push_back({h.off, channel_message{status, key, 0}});
    t.end = std::max(t.end, h.off);
  }
  std::stable_sort(t.events.begin(), t.events.end(), [](auto& a, auto& b) { return a.at < b.at; });
  return t;
}

void add(track& t, ticks at, meta_event m) {
  auto place = std::find_if(t.events.begin(), t.events.end(), [&](auto& e) { return e.at >= at; });
  t.events.insert(place, {at, std::move(m)});
}

meta_event metre(int beats, int beat_type) {
  return *time_signature_meta({{{{beats}, beat_type}}, {}, {}});
}

meta_event key_of(int fifths, mode m) {
  key_signature k;
  k.fifths = fifths;
  k.mode = m;
  return *key_signature_meta(k);
}

file file_of(std::vector<track> tracks, int division = 96) {
  return {1, ticks_per_quarter{division}, std::move(tracks)};
}

/// Every score is checked: nothing that a musician would call an error.
converted_score converted(const file& f) {
  auto c = to_score(f);
  if (!c) FAIL(c.error().first().message);
  for (auto& finding : validate(*c->score)) {
    INFO(finding.message);
    CHECK(finding.level() != severity::error);
  }
  return *c;
}

/// The measures of a voice of a part, " | " between them.
std::string voice_text(const score& s, std::size_t part = 0, const std::string& voice = "1") {
  std::string out;
  for (auto& m : s.parts[part]->measures)
    out += (out.empty() ? "" : " | ") + spelled(*m, voice);
  return out;
}

template <class T>
std::vector<std::pair<rational, T>> items_of(const score& s, std::size_t measure,
                                             std::size_t part = 0) {
  std::vector<std::pair<rational, T>> found;
  for (auto& item : s.parts[part]->measures[measure]->items)
    if (auto* x = std::get_if<T>(&item.content)) found.emplace_back(item.at.value, *x);
  return found;
}

}  // namespace

TEST_CASE("the example of the standard becomes a measure of three parts") {
  // Its text: piano E5 half at the third quarter, clarinet-like G4 dotted half at the second,
  // bassoon-like C3 and C4 through the measure; 4/4 at 120.
  auto found =
      read(bytes("4D546864 00000006 0000 0001 0060 4D54726B 0000003B"
                 "00 FF580404021808 00 FF510307A120 00 C005 00 C12E 00 C246"
                 "00 923060 00 3C60 60 914340 60 904C20 8140 823040 00 3C40 00 814340 00 804C40"
                 "00 FF2F00"));
  auto c = converted(found->file);
  CHECK(c.remarks.empty());
  auto& s = *c.score;
  REQUIRE(s.parts.size() == 3);
  CHECK(voice_text(s, 0) == "r:2 e5:2");
  CHECK(voice_text(s, 1) == "r:1 g4:3");
  CHECK(voice_text(s, 2) == "<c3_c4>:4");
  CHECK(s.parts[0]->instruments.front().midi_program == 6);
  CHECK(s.parts[1]->instruments.front().midi_program == 47);
  CHECK(s.parts[2]->name == "Bassoon");  // General MIDI 71
  CHECK(s.parts[2]->instruments.front().midi_channel == 3);
  auto tempo = items_of<direction>(s, 0);
  REQUIRE(tempo.size() == 1);
  CHECK(std::get<metronome>(tempo[0].second.types[0]).per_minute == "120");
  CHECK(tempo[0].second.sound->attribute("tempo") == "120");
}

TEST_CASE("a note across the barline is tied") {
  auto t = track_of({{60, 0, 288}, {62, 288, 480}});
  CHECK(voice_text(*converted(file_of({t})).score) == "c4:3 d4:1~ | ~d4:1 r:1 r:2");
}

TEST_CASE("a note through a whole measure is tied on both sides") {
  auto t = track_of({{60, 192, 960}});
  add(t, 0, metre(3, 4));
  CHECK(voice_text(*converted(file_of({t})).score) ==
        "r:1 r:1 c4:1~ | ~c4:3~ | ~c4:3~ | ~c4:1 r:1 r:1");
}

TEST_CASE("triplets get their brackets") {
  // Three eighths in a quarter at 96 ticks: 32 each; then three quarters in a half: 64 each.
  auto t = track_of({{60, 0, 32},
                     {62, 32, 64},
                     {64, 64, 96},
                     {65, 96, 192},
                     {67, 192, 256},
                     {69, 256, 320},
                     {71, 320, 384}});
  auto c = converted(file_of({t}));
  CHECK(voice_text(*c.score) == "c4:1/3 d4:1/3 e4:1/3 f4:1 g4:2/3 a4:2/3 b4:2/3");
  auto notes = items_of<chord_rest>(*c.score, 0);
  REQUIRE(notes.size() == 7);
  auto shown = [&](std::size_t i) {
    auto& x = notes[i].second;
    std::string out = to_string(*x.written);
    if (x.tuplet)
      out += " " + std::to_string(x.tuplet->actual) + ":" + std::to_string(x.tuplet->normal);
    for (auto& sp : x.notes.front().spanners)
      out += sp.end == span_end::start ? " [" : " ]";
    return out;
  };
  CHECK(shown(0) == "8 3:2 [");
  CHECK(shown(1) == "8 3:2");
  CHECK(shown(2) == "8 3:2 ]");
  CHECK(shown(3) == "q");
  CHECK(shown(4) == "q 3:2 [");
  CHECK(shown(6) == "q 3:2 ]");
}

TEST_CASE("a quintuplet with a rest and a long note") {
  // Five sixteenths in a quarter at 480 ticks: 96 each.
  auto t = track_of({{60, 0, 96}, {62, 192, 384}, {64, 384, 480}, {65, 480, 1920}});
  auto c = converted(file_of({t}, 480));
  CHECK(voice_text(*c.score) == "c4:1/5 r:1/5 d4:2/5 e4:1/5 f4:3");
  auto notes = items_of<chord_rest>(*c.score, 0);
  CHECK(notes[2].second.written == note_value{note_base::eighth, 0});
  CHECK(notes[2].second.tuplet->actual == 5);
  CHECK(notes[2].second.tuplet->normal == 4);
}

TEST_CASE("thirds of a division that has none are the ticks beside them") {
  auto t = track_of({{60, 0, 33}, {62, 33, 67}, {64, 67, 100}, {65, 100, 400}});
  CHECK(voice_text(*converted(file_of({t}, 100)).score) == "c4:1/3 d4:1/3 e4:1/3 f4:3");
}

TEST_CASE("notes that overlap go to two voices, the higher ones to the first") {
  auto t = track_of({{48, 0, 192}, {72, 0, 96}, {74, 96, 192}, {76, 192, 384}});
  auto c = converted(file_of({t}));
  CHECK(voice_text(*c.score, 0, "1") == "c5:1 d5:1 e5:2");
  CHECK(voice_text(*c.score, 0, "2") == "c3:2 r:2");
}

TEST_CASE("notes released early are as long as they are meant") {
  // Played at 95, 85 and 50 percent; one a tick early; one that overlaps the next.
  auto t = track_of({{60, 0, 456},
                     {62, 480, 888},
                     {64, 960, 1200},
                     {65, 1440, 1919},
                     {67, 1920, 2410},
                     {69, 2400, 3840}});
  auto c = converted(file_of({t}, 480));
  CHECK(voice_text(*c.score) == "c4:1 d4:1 e4:1/2 r:1/2 f4:1 | g4:1 a4:3");
  CHECK(c.remarks == std::vector<std::string>{"note ends moved to the grid: 4"});
}

TEST_CASE("notes at seven eighths of their length are written whole") {
  // As LilyPond's articulate.ly plays them: a half, a whole, a quarter that is staccato (half of
  // its length), a dotted quarter before an eighth, and a half tied to an eighth before a dotted
  // quarter.
  auto t = track_of({{60, 0, 840},
                     {62, 960, 2640},
                     {64, 2880, 3120},
                     {65, 3360, 3990},
                     {67, 4080, 4290},
                     {69, 4320, 5370},
                     {71, 5520, 6150}},
                    0);
  auto c = converted(file_of({t}, 480));
  CHECK(voice_text(*c.score) ==
        "c4:2 d4:2~ | ~d4:2 e4:1/2 r:1/2 f4:1~ | ~f4:1/2 g4:1/2 a4:1~ ~a4:3/2 b4:1/2~ | "
        "~b4:1 r:1 r:2");
}

TEST_CASE("a double dotted note before a rest stays what it is among others") {
  auto t = track_of({{60, 0, 96}, {62, 96, 192}, {64, 192, 384}, {65, 384, 720}});
  CHECK(voice_text(*converted(file_of({t})).score) == "c4:1 d4:1 e4:2 | f4:2~ ~f4:3/2 r:1/2");
}

TEST_CASE("a key that is struck twice at once is one note, which is said") {
  auto c = converted(
      file_of({track_of({{60, 0, 480}, {60, 0, 480}, {64, 480, 960}, {64, 480, 720}})}, 480));
  CHECK(c.remarks ==
        std::vector<std::string>{"keys struck again while they begin, which are one note: 2"});
}

TEST_CASE("free performance is left to the transcription") {
  auto t = track_of({{60, 0, 470}, {62, 487, 951}});
  auto c = to_score(file_of({t}, 480));
  REQUIRE_FALSE(c);
  CHECK(c.error().first().code == errc::unsupported_format);
  CHECK(c.error().first().message ==
        "track 1: the note at tick 487 is off the grid of 480 ticks to a quarter");
  CHECK(c.error().first().hint == "A free performance is for `fermata transcribe`.");
  file frames{1, ticks_per_frame{25, 40}, {t}};
  CHECK_FALSE(to_score(frames));
}

TEST_CASE("files without a score") {
  CHECK_FALSE(to_score(file_of({})));
  CHECK_FALSE(to_score(file_of({track{}})));
  file patterns{2, ticks_per_quarter{96}, {track_of({{60, 0, 96}})}};
  CHECK_FALSE(to_score(patterns));
}

TEST_CASE("time signatures make the measures") {
  auto t = track_of({{60, 0, 288}, {62, 288, 432}, {64, 432, 816}});
  add(t, 0, metre(3, 4));
  add(t, 288, metre(3, 8));
  add(t, 432, metre(4, 4));
  auto c = converted(file_of({t}));
  CHECK(voice_text(*c.score) == "c4:3 | d4:3/2 | e4:4");
  CHECK(to_string(items_of<attributes>(*c.score, 1)[0].second.times[0].value) == "3/8");
  CHECK(c.score->parts[0]->measures[2]->number == "3");
}

TEST_CASE("a time signature inside a measure ends it") {
  auto t = track_of({{60, 0, 192}, {62, 192, 480}});
  add(t, 192, metre(3, 4));
  CHECK(voice_text(*converted(file_of({t})).score) == "c4:2 | d4:3");
}

TEST_CASE("pitches are spelt by the key signature") {
  // Keys 61 66 68: in D flat major d flat, g flat, a flat; in B major c sharp, f sharp, g sharp.
  auto t = track_of({{61, 0, 96}, {66, 96, 192}, {68, 192, 384}});
  auto flats = t, sharps = t;
  add(flats, 0, key_of(-5, mode::major));
  add(sharps, 0, key_of(5, mode::major));
  CHECK(voice_text(*converted(file_of({flats})).score) == "db4:1 gb4:1 ab4:2");
  auto c = converted(file_of({sharps}));
  CHECK(voice_text(*c.score) == "c#4:1 f#4:1 g#4:2");
  auto key = items_of<attributes>(*c.score, 0)[0].second.keys[0].value;
  CHECK(key.fifths == 5);
  CHECK(key.mode == mode::major);
}

TEST_CASE("a first track without notes names the piece and says its tempos and marks") {
  track conductor;
  conductor.events = {{0, text_meta(meta_type::track_name, "Prelude")},
                      {0, text_meta(meta_type::copyright, "1999 A. Nonymous")},
                      {0, tempo_meta(833'333)},
                      {384, text_meta(meta_type::marker, "B")},
                      {480, tempo_meta(500'000)},
                      {576, text_meta(meta_type::cue_point, "Curtain")}};
  auto flute = track_of({{72, 0, 384}, {74, 384, 768}});
  add(flute, 0, text_meta(meta_type::track_name, "Flute"));
  auto cello = track_of({{48, 0, 768}}, 1);
  add(cello, 0, text_meta(meta_type::track_name, "Cello"));
  auto c = converted(file_of({conductor, flute, cello}));
  auto& s = *c.score;
  CHECK(s.header.work_title == "Prelude");
  CHECK(s.header.rights.front().text == "1999 A. Nonymous");
  REQUIRE(s.parts.size() == 2);
  CHECK(s.parts[0]->name == "Flute");
  CHECK(s.parts[1]->name == "Cello");
  CHECK(items_of<attributes>(s, 0, 0)[0].second.clefs[0].value.sign == "G");
  CHECK(items_of<attributes>(s, 0, 1)[0].second.clefs[0].value.sign == "F");
  CHECK(std::get<metronome>(items_of<direction>(s, 0)[0].second.types[0]).per_minute == "72");
  auto second = items_of<direction>(s, 1);
  REQUIRE(second.size() == 3);
  CHECK(second[0].first == rational{0});
  CHECK(std::get<rehearsal_mark>(second[0].second.types[0]).text == "B");
  CHECK(second[1].first == rational{1});
  CHECK(std::get<metronome>(second[1].second.types[0]).per_minute == "120");
  CHECK(second[2].first == rational{2});
  CHECK(std::get<words>(second[2].second.types[0]).text == "Curtain");
  CHECK(items_of<direction>(s, 1, 1).empty());
}

TEST_CASE("lyrics go to the notes that begin with them") {
  auto t = track_of({{60, 0, 96}, {62, 96, 192}, {64, 192, 480}});
  add(t, 0, text_meta(meta_type::lyric, "Hal-"));
  add(t, 96, text_meta(meta_type::lyric, "lo "));
  add(t, 192, text_meta(meta_type::lyric, "Welt\r"));
  add(t, 288, text_meta(meta_type::lyric, "lost"));
  auto c = converted(file_of({t}));
  auto notes = items_of<chord_rest>(*c.score, 0);
  auto syllable = [&](std::size_t i) {
    auto& s = notes[i].second.notes.front().lyrics.at(0).syllables.at(0);
    return s.syllabic + " " + s.text;
  };
  CHECK(syllable(0) == "begin Hal");
  CHECK(syllable(1) == "end lo");
  CHECK(syllable(2) == "single Welt");
  CHECK(items_of<chord_rest>(*c.score, 1)[0].second.notes.front().lyrics.empty());
  CHECK(c.remarks == std::vector<std::string>{
                         "lyrics left out, as no note begins there or another lyric is there: 1"});
}

TEST_CASE("lyrics of a track of their own go to the part that sings them") {
  track words_track;
  words_track.events = {{0, text_meta(meta_type::lyric, "la")},
                        {192, text_meta(meta_type::lyric, "le")}};
  auto c = converted(file_of(
      {words_track, track_of({{48, 0, 384}}, 1), track_of({{72, 0, 192}, {74, 192, 384}}, 0)}));
  CHECK(items_of<chord_rest>(*c.score, 0, 0)[0].second.notes.front().lyrics.empty());
  CHECK(items_of<chord_rest>(*c.score, 0, 1)[1].second.notes.front().lyrics.size() == 1);
}

TEST_CASE("channel 10 is percussion, and a hit lasts to the next one") {
  // Bass drum and hi-hat, hi-hat alone, snare and hi-hat, each 6 ticks long.
  auto t = track_of({{36, 0, 6}, {42, 0, 6}, {42, 48, 54}, {38, 96, 102}, {42, 96, 102}}, 9);
  auto c = converted(file_of({t}));
  auto& p = *c.score->parts[0];
  CHECK(p.name == "Percussion");
  REQUIRE(p.instruments.size() == 3);
  CHECK(p.instruments[0].name == "Bass Drum 1");
  CHECK(p.instruments[1].name == "Acoustic Snare");
  CHECK(p.instruments[2].name == "Closed Hi-Hat");
  CHECK(p.instruments[2].midi_unpitched == 43);
  CHECK(voice_text(*c.score) == "<r_r>:1/2 r:1/2 <r_r>:1 r:2");  // unpitched prints as r
  auto notes = items_of<chord_rest>(*c.score, 0);
  auto& hat = notes[1].second.notes.front();
  CHECK(std::holds_alternative<unpitched>(hat.tone));
  CHECK(hat.instrument == "P1-I43");
  CHECK(hat.notehead->value == "x");
  auto sounds = sounding_notes(*c.score);
  REQUIRE(sounds);
  REQUIRE(sounds->size() == 5);
  CHECK(sounds->front().key() == 36);
}

TEST_CASE("a track with two channels is two parts") {
  track t;
  t.events = {{0, channel_message{0x90, 60, 64}},
              {0, channel_message{0x91, 48, 64}},
              {96, channel_message{0x80, 60, 0}},
              {96, channel_message{0x81, 48, 0}}};
  auto c = converted(file_of({t}));
  REQUIRE(c.score->parts.size() == 2);
  CHECK(c.score->parts[0]->name == "Channel 1");
  CHECK(c.score->parts[1]->name == "Channel 2");
}

TEST_CASE("a piece too long for a score is refused before it is made") {
  auto t = track_of({{60, 0, ticks{1} << 39}});
  auto c = to_score(file_of({t}, 1));
  REQUIRE_FALSE(c);
  CHECK(c.error().first().code == errc::out_of_range);
}

TEST_CASE("compound metres are spelt in dotted beats") {
  // 6/8: 1 1/2 and 2 quarters from the beginning, so that the second dotted beat shows.
  auto t = track_of({{60, 0, 192}, {62, 192, 288}, {64, 288, 576}});
  add(t, 0, metre(6, 8));
  CHECK(voice_text(*converted(file_of({t})).score) == "c4:3/2~ ~c4:1/2 d4:1 | e4:3");
}

TEST_CASE("a triplet that a note enters from the beat before is tied into") {
  // Ends on the first third of the second quarter: 128 of 96 ticks each.
  auto t = track_of({{60, 0, 128}, {62, 128, 192}, {64, 192, 384}});
  CHECK(voice_text(*converted(file_of({t})).score) == "c4:4/3 d4:2/3 e4:2");
  // As the half is divided by three: 4/3 is a half of a triplet, 2/3 a quarter of it.
  auto notes = items_of<chord_rest>(*converted(file_of({t})).score, 0);
  CHECK(notes[0].second.written == note_value{note_base::half, 0});
  CHECK(notes[1].second.written == note_value{note_base::quarter, 0});
}

TEST_CASE("pitch bends and texts are left out with a remark") {
  auto t = track_of({{60, 0, 480}});
  t.events.insert(t.events.begin(), {0, channel_message{0xE0, 0, 64}});  // the middle: no bend
  t.events.insert(t.events.begin(), {0, channel_message{0xE0, 0, 80}});
  t.events.insert(t.events.begin(), {0, meta_event{1, "by ear"}});
  auto c = converted(file_of({t}, 480));
  CHECK(c.remarks == std::vector<std::string>{"texts left out: 1", "pitch bends left out: 1"});
}

TEST_CASE("triplets and quintuplets side by side, and at once in two voices") {
  auto t = track_of({{72, 0, 160},
                     {74, 160, 320},
                     {76, 320, 480},
                     {77, 480, 576},
                     {79, 576, 672},
                     {81, 672, 768},
                     {83, 768, 864},
                     {84, 864, 960}});
  auto c = converted(file_of({t}, 480));
  CHECK(voice_text(*c.score) == "c5:1/3 d5:1/3 e5:1/3 f5:1/5 g5:1/5 a5:1/5 b5:1/5 c6:1/5 r:2");
  auto both = track_of({{72, 0, 160},
                        {74, 160, 320},
                        {76, 320, 480},
                        {48, 0, 96},
                        {50, 96, 192},
                        {52, 192, 288},
                        {53, 288, 384},
                        {55, 384, 480}},
                       0);
  auto two = converted(file_of({both}, 480));
  CHECK(two.score->parts[0]->measures.size() == 1);
  // Three beats of rest in 4/4: a dotted half rest would hide the middle of the measure.
  CHECK(voice_text(*two.score, 0, "1") == "c5:1/3 d5:1/3 e5:1/3 r:1 r:2");
  CHECK(voice_text(*two.score, 0, "2") == "c3:1/5 d3:1/5 e3:1/5 f3:1/5 g3:1/5 r:1 r:2");
}

TEST_CASE("a rhythm that no tuplet divides evenly is left to the transcription") {
  // Ends of a third and a fifth inside one sixteenth after another in one voice.
  auto t = track_of({{60, 0, 40}, {62, 40, 48}, {64, 48, 480}});
  auto c = to_score(file_of({t}, 480));
  REQUIRE_FALSE(c);
  CHECK(c.error().first().message == "measure 1 of track 1 has a rhythm that cannot be notated");
}

TEST_CASE("a key signature changes where it stands") {
  auto t = track_of({{60, 0, 192}, {62, 192, 384}, {64, 384, 768}});
  add(t, 0, key_of(0, mode::major));
  add(t, 192, key_of(-3, mode::minor));
  add(t, 384, key_of(2, mode::major));
  auto c = converted(file_of({t}));
  auto& s = *c.score;
  auto first = items_of<attributes>(s, 0);
  REQUIRE(first.size() == 2);
  CHECK(first[1].first == rational{2});
  CHECK(first[1].second.keys[0].value.fifths == -3);
  auto second = items_of<attributes>(s, 1);
  REQUIRE(second.size() == 1);
  CHECK(second[0].first == rational{0});
  CHECK(second[0].second.keys[0].value.fifths == 2);
}

TEST_CASE("a key that is struck twice at once is one note") {
  auto t = track_of({{60, 0, 96}, {60, 0, 96}, {64, 96, 192}});
  CHECK(voice_text(*converted(file_of({t})).score) == "c4:1 e4:1 r:2");
}

TEST_CASE("notes that nobody ends last to the end of the track") {
  track t;
  t.events = {{0, channel_message{0x90, 60, 64}}};
  t.end = 384;
  CHECK(voice_text(*converted(file_of({t})).score) == "c4:4");
}

TEST_CASE("a note off before a note on of the same time ends the note before") {
  // Either order is found in files; both are two quarters in a row.
  for (auto off_first : {true, false}) {
    event off{96, channel_message{0x80, 60, 0}}, on{96, channel_message{0x90, 60, 64}};
    track t;
    t.events = {{0, channel_message{0x90, 60, 64}},
                off_first ? off : on,
                off_first ? on : off,
                {192, channel_message{0x80, 60, 0}}};
    t.end = 192;
    CHECK(voice_text(*converted(file_of({t})).score) == "c4:1 c4:1 r:2");
  }
}

TEST_CASE("more music than the limits is refused or left out") {
  auto t = track_of({{60, 0, 384}, {62, 96, 384}, {64, 192, 384}});
  score_limits limits;
  limits.voices = 2;
  auto two = to_score(file_of({t}), limits);
  REQUIRE(two);
  CHECK(two->remarks == std::vector<std::string>{"notes left out, as too many sound at once: 1"});
  limits = {};
  limits.items = 2;
  auto none = to_score(file_of({t}), limits);
  REQUIRE_FALSE(none);
  CHECK(none.error().first().code == errc::out_of_range);
}

TEST_CASE("what is on the grid sounds in the score as in the file") {
  // Chords and overlapping notes at random places of a grid of sixteenths or of triplets of
  // eighths, in several metres; the score is compared with the notes that made the file.
  std::mt19937 random{1};
  auto up_to = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  for (int round = 0; round < 60; ++round) {
    CAPTURE(round);
    auto unit = round % 2 == 0 ? 120 : 160;  // of 480
    std::vector<std::tuple<ticks, int, ticks>> wanted;
    track t;
    for (int i = 0; i < 40; ++i) {
      auto on = static_cast<ticks>(up_to(80) * unit);
      auto off = on + static_cast<ticks>((1 + up_to(12)) * unit);
      auto key = 40 + i;
      wanted.emplace_back(on, key, off);
      t.events.push_back({on, channel_message{0x90, static_cast<std::uint8_t>(key), 64}});
      t.events.push_back({off, channel_message{0x80, static_cast<std::uint8_t>(key), 64}});
      t.end = std::max(t.end, off);
    }
    t.events.push_back({0, round % 3 == 0   ? metre(3, 4)
                           : round % 3 == 1 ? metre(6, 8)
                                            : metre(5, 4)});
    std::stable_sort(t.events.begin(), t.events.end(),
                     [](auto& a, auto& b) { return a.at < b.at; });
    score_limits limits;
    limits.voices = 40;
    auto c = to_score(file_of({t}, 480), limits);
    if (!c) FAIL(c.error().first().message);
    auto sounds = sounding_notes(*c->score);
    REQUIRE(sounds);
    std::vector<std::tuple<ticks, int, ticks>> heard;
    for (auto& n : *sounds) {
      auto at = [](quarters q) { return static_cast<ticks>(floor(q.value * rational{480})); };
      heard.emplace_back(at(n.onset), n.key(), at(n.onset + n.length));
    }
    std::sort(wanted.begin(), wanted.end());
    std::sort(heard.begin(), heard.end());
    CHECK(heard == wanted);
    for (auto& f : validate(*c->score)) {
      INFO(f.message);
      CHECK(f.level() != severity::error);
    }
  }
}

}  // namespace fermata::smf_to_score_test
