#include "midi/performance/meta_events.hpp"

#include "core/score/model/part_defaults.hpp"
#include "tests/midi/performance/heard.hpp"

#include <catch2/catch.hpp>

namespace fermata::midi::meta_events_test {

using namespace testing;

namespace {

std::string texts(const performance& p, text_kind kind) {
  return events_of<text_event>(p, [&](auto& t, auto&) {
    return t.kind == kind ? "[" + std::string{t.view()} + "]" : std::string{};
  });
}

lyric sung(const std::string& number, const std::string& syllabic, const std::string& text) {
  lyric l;
  l.number = number;
  l.syllables.push_back({"", syllabic, text, {}});
  return l;
}

attributes with_key(int fifths, mode m = mode::none) {
  attributes a;
  key_signature k;
  k.fifths = fifths;
  k.mode = m;
  a.keys.push_back({std::nullopt, k, {}});
  return a;
}

std::string keys(const score& s) {
  return events_of<key_change>(render_or_throw(s, exact()), [](auto& k, auto& e) {
    return std::to_string(e.track) + "=" + std::to_string(k.fifths) + (k.minor ? "m" : "");
  });
}

}  // namespace

TEST_CASE("tracks have the names of the parts, the first one the title") {
  part_instrument i;
  i.name = "Alto Flute";
  auto s = *make_score({with_instrument(make_part({bar("c4:w")}, "P1", "Flute"), i)});
  s.header.work_title = "Suite";
  auto p = render_or_throw(s, exact());
  CHECK(texts(p, text_kind::track_name) == "0:[Suite] 0:[Flute]");
  CHECK(texts(p, text_kind::instrument_name) == "0:[Alto Flute]");
  CHECK(p.tracks[1].name == "Flute");
}

TEST_CASE("time signatures are added up, and said again after a jump") {
  auto first = bar("c4:h."), second = bar("c4:8 c4:q c4:q", "2");
  lead(first, with_time(3, 4));
  attributes a;
  a.times.push_back({std::nullopt, {{{{3, 2}, 8}}, "", ""}, {}});
  lead(second, a);
  barline b;
  b.repeat = "backward";
  put(second, rational{5, 2}, b);
  auto p = render_or_throw(*make_score({make_part({first, second})}), exact());
  CHECK(events_of<time_change>(p, [](auto& t, auto&) {
          return std::to_string(t.beats) + "/" + std::to_string(t.beat_type);
        }) == "0:3/4 3:5/8 11/2:3/4 17/2:5/8");
}

TEST_CASE("different fractions side by side are one, and what a file cannot say is left out") {
  auto first = bar("c4:w"), second = bar("c4:w", "2");
  attributes mixed, odd;
  mixed.times.push_back({std::nullopt, {{{{3}, 8}, {{2}, 4}}, "", ""}, {}});
  odd.times.push_back({std::nullopt, {{{{4}, 6}}, "", ""}, {}});
  lead(first, mixed);
  lead(second, odd);
  auto p = render_or_throw(*make_score({make_part({first, second})}), exact());
  CHECK(events_of<time_change>(p, [](auto& t, auto&) {
          return std::to_string(t.beats) + "/" + std::to_string(t.beat_type);
        }) == "0:7/8");
}

TEST_CASE("a clarinet in B flat that reads D major sounds in C major") {
  auto m = bar("d4:w");
  attributes a = with_key(2, mode::major);
  transposition t;
  t.chromatic = "-2";
  t.diatonic = -1;
  t.diatonic_given = true;
  a.transpositions.push_back({std::nullopt, t, {}});
  auto concert = bar("c4:w");
  auto s =
      make_score({make_part({lead(m, a)}), make_part({lead(concert, with_key(-3, mode::minor))})});
  CHECK(keys(*s) == "0:1=0 0:2=-3m");
}

TEST_CASE("a sounding key that has no signature is named by its neighbour") {
  key_signature k;
  k.fifths = 7;
  transposition t;
  t.chromatic = "2";
  t.diatonic = 1;
  // C sharp major a tone higher is D sharp, 9 sharps: E flat, 3 flats.
  CHECK(sounding_key(k, t).fifths == -3);
  CHECK(sounding_key(k, transposition{}).fifths == 7);
  k.fifths = 0;
  t = {};
  t.chromatic = "-14";
  t.octaves = 0;
  // A tone and an octave lower, steps not said: B flat major.
  CHECK(sounding_key(k, t).fifths == -2);
}

TEST_CASE("rehearsal marks are markers, once for all parts") {
  auto upper = bar("c4:w"), lower = bar("c3:w");
  lead(upper, showing(rehearsal_mark{"A", {}}));
  lead(lower, showing(rehearsal_mark{"A", {}}));
  auto p = render_or_throw(*make_score({make_part({upper}), make_part({lower}, "P2")}), exact());
  CHECK(texts(p, text_kind::marker) == "0:[A]");
}

TEST_CASE("each pass of a repeat has its verse, and words end with a blank") {
  // MIDI RP-017: a blank behind the last syllable of a word.
  auto m = bar("c4:h d4:h");
  auto& first = chord_in(m, 0).notes[0].lyrics;
  first.push_back(sung("1", "begin", "hap"));
  first.push_back(sung("2", "single", "sad"));
  chord_in(m, 1).notes[0].lyrics.push_back(sung("1", "end", "py"));
  barline b;
  b.repeat = "backward";
  put(m, 4, b);
  auto p = render_or_throw(*one_measure(m), exact());
  CHECK(texts(p, text_kind::lyric) == "0:[hap] 2:[py ] 4:[sad ] 6:[py ]");
}

}  // namespace fermata::midi::meta_events_test
