#include "midi/transcription/transcribe.hpp"

#include "core/score/model/describe.hpp"
#include "midi/smf/read.hpp"
#include "midi/transcription/from_file.hpp"
#include "tests/midi/transcription/performance.hpp"

#include <catch2/catch.hpp>

#include <fstream>
#include <iterator>

namespace fermata::midi::transcribe_test {

using namespace testing;
using namespace std::chrono_literals;

namespace {

/// A part of a melody (quarters from the beginning, length, key).
performed_part melody(const std::vector<written_note>& notes, std::optional<int> program = 73) {
  performed_part p;
  p.name = "Flute";
  p.program = program;
  p.notes = performed(notes, {});
  return p;
}

/// The first eight measures of a minuet in G: a bass note in each, a melody above.
std::vector<written_note> minuet() {
  std::vector<written_note> notes;
  constexpr int bass[] = {43, 47, 48, 50, 43, 45, 50, 43};
  constexpr int tune[] = {74, 67, 69, 71, 72};
  for (int m = 0; m < 8; ++m) {
    notes.push_back({m * 3., 3, bass[m]});
    notes.push_back({m * 3., 1, tune[0]});
    for (int i = 0; i < 4; ++i)
      notes.push_back({m * 3 + 1 + i * .5, .5, tune[i + 1]});
  }
  return notes;
}

/// With the metre and the tempo given: rhythm_tracker_test.cpp is about finding them.
transcription_options in(counted_metre metre) {
  transcription_options o;
  o.tracker.metre = metre;
  o.tracker.quarter_seconds = .5;
  return o;
}

constexpr counted_metre three_four{3, false}, four_four{4, false};

transcription transcribed(const std::vector<performed_part>& parts, transcription_options o = {}) {
  auto found = transcribe(parts, o);
  if (!found) throw std::logic_error(found.error().first().message);
  REQUIRE_FALSE(found->empty());
  return std::move(found->front());
}

const attributes& first_attributes(const part& p) {
  for (auto& item : p.measures.at(0)->items)
    if (auto* a = std::get_if<attributes>(&item.content)) return *a;
  throw std::logic_error("no attributes");
}

/// "position:description" of the notes and rests of a voice in a measure.
std::string voice(const measure& m, const std::string& name) {
  std::string text;
  for (auto& item : m.items)
    if (auto* x = std::get_if<chord_rest>(&item.content); x && x->voice == name)
      text += (text.empty() ? "" : " ") + describe_rhythm(*x);
  return text;
}

}  // namespace

TEST_CASE("a keyboard performance becomes two staves in its key and metre") {
  performed_part piano;
  piano.notes = performed(minuet(), {});
  auto t = transcribed({piano}, in(three_four));
  CHECK(to_string(signature_of(t.metre)) == "3/4");
  CHECK(t.quarters_per_minute == 120);
  CHECK(t.remarks.empty());
  REQUIRE(t.score->parts.size() == 1);
  auto& p = *t.score->parts.front();
  CHECK(p.measures.size() == 8);
  auto& a = first_attributes(p);
  CHECK(a.staves == 2);
  REQUIRE(a.clefs.size() == 2);
  CHECK(a.clefs[0].value.sign == "G");
  CHECK(a.clefs[1].value.sign == "F");
  REQUIRE(a.keys.size() == 1);
  CHECK(a.keys.front().value.fifths == 1);
  CHECK(voice(*p.measures.at(0), "1") == "d5:q g4:8 a4:8 b4:8 c5:8");
  CHECK(voice(*p.measures.at(0), "5") == "g2:h.");
  CHECK(voice(*p.measures.at(7), "1") == "d5:q g4:8 a4:8 b4:8 c5:8");
}

TEST_CASE("a melody instrument has one staff, and its rests") {
  std::vector<written_note> notes, bass;
  for (int m = 0; m < 8; ++m) {
    bass.push_back({m * 4., 4, 36 + m % 2 * 7});
    for (auto [at, length, key] :
         {std::tuple{0., 1.5, 72}, std::tuple{1.5, .5, 74}, std::tuple{2., 1., 76}})
      notes.push_back({m * 4 + at, length, key});
  }
  auto t = transcribed({melody(notes), melody(bass)}, in(four_four));
  auto& p = *t.score->parts.front();
  CHECK(p.name == "Flute");
  CHECK_FALSE(first_attributes(p).staves);
  CHECK(voice(*p.measures.at(0), "1") == "c5:q. d5:8 e5:q r:q");
  CHECK(voice(*t.score->parts.at(1)->measures.at(0), "1") == "c2:w");
}

TEST_CASE("notes before the first downbeat are a pickup, which is not counted") {
  std::vector<written_note> notes;
  notes.push_back({3, 1, 67});
  for (int m = 1; m < 9; ++m)
    for (int b = 0; b < 4; ++b) {
      notes.push_back({m * 4. + b, 1, 72 - b});
      if (b == 0) {
        notes.push_back({m * 4., 4, 48});
        notes.push_back({m * 4., 4, 60});
      }
    }
  performed_part piano;
  piano.notes = performed(notes, {});
  auto t = transcribed({piano}, in(four_four));
  auto& p = *t.score->parts.front();
  CHECK(p.measures.at(0)->implicit);
  CHECK(p.measures.at(0)->number == "0");
  CHECK(voice(*p.measures.at(0), "1") == "g4:q");
  CHECK(p.measures.at(1)->number == "1");
  CHECK_FALSE(p.measures.at(1)->implicit);
}

TEST_CASE("a pickup inside a triplet has notation") {
  std::vector<written_note> notes{{3 + 2 / 3., 1 / 3., 67}};
  for (int m = 1; m < 9; ++m) {
    notes.push_back({m * 4., 4, 48});
    for (int i = 0; i < 12; ++i)
      notes.push_back({m * 4 + i / 3., 1 / 3., 60 + i});
  }
  performed_part piano;
  piano.notes = performed(notes, {});
  auto t = transcribed({piano}, in(four_four));
  auto& p = *t.score->parts.front();
  CHECK(p.measures.at(0)->implicit);
  CHECK(voice(*p.measures.at(0), "1").find("g4") != std::string::npos);
}

TEST_CASE("each channel is a part, and drums are percussion") {
  std::vector<written_note> beats, tune;
  for (int i = 0; i < 32; ++i) {
    beats.push_back({i * 1., .2, i % 2 ? 38 : 36});
    tune.push_back({i * 1., 1, 60 + i % 5});
  }
  performed_part drums;
  drums.channel = 9;
  drums.notes = performed(beats, {});
  auto t = transcribed({melody(tune), drums});
  REQUIRE(t.score->parts.size() == 2);
  auto& d = *t.score->parts[1];
  CHECK(d.name == "Percussion");
  CHECK(first_attributes(d).clefs.front().value.sign == "percussion");
  CHECK(d.measures.size() == t.score->parts[0]->measures.size());
}

TEST_CASE("other readings follow, the likeliest first, each with its reason") {
  std::vector<written_note> waltz;
  for (int m = 0; m < 8; ++m) {
    waltz.push_back({m * 3., 3, 36 + m % 3 * 5});
    for (int beat = 1; beat < 3; ++beat)
      for (int key : {55, 60})
        waltz.push_back({m * 3. + beat, 1, key});
    for (auto [at, key] :
         {std::pair{0., 72}, std::pair{1., 74}, std::pair{1.5, 76}, std::pair{2., 77}})
      waltz.push_back({m * 3 + at, at == 1 || at == 1.5 ? .5 : 1., key});
  }
  performed_part piano;
  piano.notes = performed(waltz, {});
  transcription_options o;
  o.alternatives = 3;
  o.tracker.quarter_seconds = .5;
  auto found = transcribe({piano}, o);
  REQUIRE(found);
  REQUIRE(found->size() == 3);
  CHECK((*found)[0].metre == counted_metre{3, false});
  // Of nine notes in a measure one is between the beats.
  CHECK((*found)[0].reason.starts_with("89 % of the notes on its beats, 100 % on its eighths; "));
  CHECK((*found)[0].reason.find(" times more likely per note than ") != std::string::npos);
  CHECK((*found)[1].reason.find(" times less likely per note than 3/4") != std::string::npos);
}

TEST_CASE("what cannot be transcribed is an error") {
  auto code = [](const std::vector<performed_part>& parts, transcription_options o = {}) {
    auto found = transcribe(parts, o);
    return found ? errc{} : found.error().first().code;
  };
  CHECK(code({}) == errc::unsupported_format);
  CHECK(code({performed_part{}}) == errc::unsupported_format);
  transcription_options few;
  few.notes = 10;
  CHECK(code({melody(minuet())}, few) == errc::out_of_range);
  few = {};
  few.measures = 3;
  CHECK(code({melody(minuet())}, few) == errc::out_of_range);
  transcription_options cancelled;
  cancelled.tracker.is_cancelled = [] { return true; };
  std::vector<written_note> many;
  for (int i = 0; i < 600; ++i)
    many.push_back({i * 1., 1, 60});
  CHECK(code({melody(many)}, cancelled) == errc::cancelled);
}

TEST_CASE("clusters, equal times and notes without length are written down") {
  performed_part p;
  for (int key = 21; key <= 108; ++key)
    p.notes.push_back({1s, 1s, static_cast<std::uint8_t>(key), 64, 0});
  std::size_t written = 0;
  auto cluster = transcribed({p});
  for (auto& item : cluster.score->parts.front()->measures.at(0)->items)
    if (auto* x = std::get_if<chord_rest>(&item.content); x && !is_rest(*x))
      for (auto& n : x->notes)
        written += !n.tie.stop;
  CHECK(written == 88);
  CHECK(cluster.remarks.empty());
  performed_part one;
  one.notes.push_back({0s, 0s, 60, 64, 0});
  auto t = transcribed({one});
  CHECK(t.score->parts.front()->measures.size() == 1);
}

TEST_CASE("the notes of a recording are all in the score, with the pitches that were played") {
  std::ifstream file{std::string{FERMATA_TEST_DATA} + "/transcription/franz-widmung.mid",
                     std::ios::binary};
  std::string bytes{std::istreambuf_iterator<char>{file}, {}};
  auto read = smf::read(bytes);
  REQUIRE(read);
  auto parts = performed_parts_of(read->file);
  REQUIRE(parts);
  REQUIRE(parts->size() == 1);
  auto truth = recorded("franz-widmung");
  REQUIRE(parts->front().notes.size() == truth.size());
  // The file has the times of the table, in ticks of 1/960 s.
  for (std::size_t i = 0; i < truth.size(); ++i) {
    auto difference = parts->front().notes[i].on - truth[i].played.on;
    CHECK(std::abs(difference / 1us) <= 1'100);
  }
  auto t = transcribed(*parts);
  std::vector<int> keys, written;
  for (auto& n : truth)
    keys.push_back(n.played.key);
  for (auto& m : t.score->parts.front()->measures)
    for (auto& item : m->items)
      if (auto* x = std::get_if<chord_rest>(&item.content))
        for (auto& n : x->notes)
          if (auto* tone = std::get_if<pitch>(&n.tone); tone && !n.tie.stop)
            written.push_back(midi_key(*tone));
  std::sort(keys.begin(), keys.end());
  std::sort(written.begin(), written.end());
  // A key that two voices play at once is written once: 363 different notes (counted with awk).
  CHECK(written.size() >= 363);
  CHECK(std::includes(keys.begin(), keys.end(), written.begin(), written.end()));
}

TEST_CASE("ticks are converted by all tempos of a file") {
  smf::file f;
  f.division = smf::ticks_per_quarter{480};
  smf::track tempos, notes;
  auto tempo = [&](smf::ticks at, std::uint32_t microseconds) {
    auto data = std::string{static_cast<char>(microseconds >> 16),
                            static_cast<char>(microseconds >> 8), static_cast<char>(microseconds)};
    tempos.events.push_back({at, smf::meta_event{0x51, data}});
  };
  tempo(480, 1'000'000);  // 60 quarters a minute from the second quarter on
  tempo(960, 250'000);    // 240
  for (smf::ticks at : {0, 240, 480, 720, 960, 1'440}) {
    notes.events.push_back({at, smf::channel_message{0x90, 60, 64}});
    notes.events.push_back({at + 120, smf::channel_message{0x80, 60, 0}});
  }
  notes.end = 2'000;
  tempos.end = 960;
  // A pedal in another track than its notes.
  tempos.events.push_back({960, smf::channel_message{0xB0, 64, 100}});
  tempos.events.push_back({1'440, smf::channel_message{0xB0, 64, 0}});
  f.tracks = {tempos, notes};
  auto parts = performed_parts_of(f);
  REQUIRE(parts);
  std::vector<std::int64_t> on, length;
  for (auto& n : parts->front().notes) {
    on.push_back(n.on / 1ms);
    length.push_back((n.off - n.on) / 1us);
  }
  CHECK(on == std::vector<std::int64_t>{0, 250, 500, 1'000, 1'500, 1'750});
  CHECK(parts->front().pedal == std::vector<pedal_span>{{1'500ms, 1'750ms}});
  CHECK(length == std::vector<std::int64_t>{125'000, 125'000, 250'000, 250'000, 62'500, 62'500});
  // 25 frames of 40 ticks: a tick is a millisecond.
  f.division = smf::ticks_per_frame{25, 40};
  parts = performed_parts_of(f);
  REQUIRE(parts);
  CHECK(parts->front().notes[2].on == 480ms);
  f.format = 2;
  CHECK_FALSE(performed_parts_of(f));
}

}  // namespace fermata::midi::transcribe_test
