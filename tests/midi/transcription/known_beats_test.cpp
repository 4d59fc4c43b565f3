#include "core/score/model/describe.hpp"
#include "midi/transcription/rhythm_tracker.hpp"
#include "midi/transcription/transcribe.hpp"
#include "tests/midi/transcription/performance.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <optional>

/// Performances to a metronome, by rhythm_tracker.hpp and transcribe.hpp.
namespace fermata::midi::known_beats_test {

using namespace testing;
using namespace std::chrono_literals;

namespace {

constexpr counted_metre three_four{3, false}, four_four{4, false}, six_eight{2, true};

/// `performed` begins after a second.
tracker_options to_metronome(double quarter, std::optional<counted_metre> metre,
                             std::chrono::nanoseconds first_downbeat = 1s) {
  tracker_options o;
  o.metre = metre;
  o.beats = beat_grid::steady(first_downbeat, quarter);
  return o;
}

/// In ticks and in order, as notes of a chord may have changed places.
std::vector<std::int64_t> positions(const std::vector<performed_note>& notes,
                                    const tracker_options& o) {
  auto readings = track_rhythm(notes, o);
  REQUIRE_FALSE(readings.empty());
  auto found = readings.front().positions;
  std::sort(found.begin(), found.end());
  return found;
}

std::vector<std::int64_t> ticks_of(const std::vector<written_note>& notes) {
  std::vector<std::int64_t> ticks;
  for (auto& n : notes)
    ticks.push_back(std::llround(n.at * grid_of_quarter));
  std::sort(ticks.begin(), ticks.end());
  return ticks;
}

/// Measures of chords on the beats, and above them eighths, sixteenths and a triplet.
std::vector<written_note> study(int beats, int measures) {
  std::vector<written_note> notes;
  for (int m = 0; m < measures; ++m)
    for (int b = 0; b < beats; ++b) {
      double at = m * beats + b;
      notes.push_back({at, 1, b == 0 ? 40 : 52});
      notes.push_back({at, .25, 72});
      if (b == 1) {
        notes.push_back({at + 1 / 3., 1 / 3., 74});
        notes.push_back({at + 2 / 3., 1 / 3., 76});
      } else if (b == 2) {
        notes.push_back({at + .5, .25, 74});
        notes.push_back({at + .75, .25, 76});
      } else {
        notes.push_back({at + .5, .5, 77});
      }
    }
  return notes;
}

/// "position:description" of the notes and rests of the first voice in a measure.
std::string voice_of(const measure& m) {
  std::string text;
  for (auto& item : m.items)
    if (auto* x = std::get_if<chord_rest>(&item.content); x && x->voice == "1")
      text += (text.empty() ? "" : " ") + describe_rhythm(*x);
  return text;
}

/// The part of a flute that plays these notes to a metronome at 120.
part_ptr flute_to_metronome(const std::vector<written_note>& notes) {
  performed_part flute;
  flute.program = 73;
  flute.notes = performed(notes, {});
  transcription_options o;
  o.tracker = to_metronome(.5, four_four);
  auto found = transcribe({flute}, o);
  REQUIRE(found);
  REQUIRE(found->front().score->parts.size() == 1);
  return found->front().score->parts.front();
}

}  // namespace

TEST_CASE("to a metronome every rhythm is in its place, at any tempo and also if it is uneven") {
  for (auto quarter : {.4, .5, .7, 1.1})
    for (auto jitter : {0., .015}) {
      CAPTURE(quarter, jitter);
      auto notes = study(4, 6);
      playing how;
      how.quarter = quarter;
      how.jitter = jitter;
      CHECK(positions(performed(notes, how), to_metronome(quarter, four_four)) == ticks_of(notes));
    }
}

TEST_CASE("a player who is always late is in time") {
  auto notes = study(4, 6);
  auto late = performed(notes, {});
  for (auto& n : late) {
    n.on += 35ms;
    n.off += 35ms;
  }
  CHECK(positions(late, to_metronome(.5, four_four)) == ticks_of(notes));
}

TEST_CASE("a note that comes a little before the first downbeat is on it") {
  for (auto early : {0ms, 20ms, 50ms}) {
    auto notes = performed(study(3, 4), {});
    notes[0].on -= early;
    notes[1].on -= early;
    auto readings = track_rhythm(notes, to_metronome(.5, three_four));
    CHECK(readings.front().positions.front() == 0);
    CHECK(readings.front().known_downbeat == 0);
  }
}

TEST_CASE("notes before the first downbeat are in the measure before it") {
  std::vector<written_note> notes{{3, 1, 67}};
  for (int i = 4; i < 20; ++i)
    notes.push_back({i * 1., 1, 60 + i % 5});
  // `performed` begins at one second, and the first downbeat is four quarters later.
  auto readings = track_rhythm(performed(notes, {}), to_metronome(.5, four_four, 3s));
  auto& r = readings.front();
  CHECK(r.known_downbeat == 4 * grid_of_quarter);
  CHECK(r.positions[0] == 3 * grid_of_quarter);
  CHECK(r.positions[1] == 4 * grid_of_quarter);
}

TEST_CASE("the metre is found if only the tempo is known") {
  std::vector<written_note> waltz, jig;
  for (int m = 0; m < 12; ++m) {
    waltz.push_back({m * 3., 3, 36 + m % 3 * 5});
    for (auto beat : {0., 1., 2.})
      for (auto key : {55, 60})
        if (beat > 0) waltz.push_back({m * 3. + beat, 1, key});
    jig.push_back({m * 3., 3, 36 + m % 3 * 5});
    for (int i = 0; i < 6; ++i)
      jig.push_back({m * 3. + i * .5, .5, 72 + i});
    jig.push_back({m * 3 + 1.5, 1.5, 48});
  }
  auto metre = [](const std::vector<written_note>& notes) {
    return track_rhythm(performed(notes, {}), to_metronome(.5, std::nullopt)).front().metre;
  };
  CHECK(metre(waltz) == three_four);
  CHECK(metre(jig) == six_eight);
}

TEST_CASE("beats that are not even are followed") {
  auto notes = study(4, 6);
  playing how;
  how.ritardando = .8;
  // The times of the beats, by playing a note on each.
  std::vector<written_note> beats;
  for (int i = 0; i < 24; ++i)
    beats.push_back({i * 1., 1, 60});
  beats.push_back({notes.back().at, 1, 60});
  std::vector<std::chrono::nanoseconds> times;
  for (auto& n : performed(beats, how))
    if (times.size() < 24) times.push_back(n.on);
  tracker_options o;
  o.metre = four_four;
  o.beats = *beat_grid::of_beats(times, four_four);
  auto r = track_rhythm(performed(notes, how), o).front();
  std::sort(r.positions.begin(), r.positions.end());
  CHECK(r.positions == ticks_of(notes));
  CHECK(r.quarter_seconds.back() > r.quarter_seconds.front() * 1.5F);
}

TEST_CASE("after any rest notes are where the metronome is, on and off the beat") {
  for (auto wait : {1.5, 4., 7.5, 100.5, 4'000.5}) {
    CAPTURE(wait);
    std::vector<written_note> notes;
    for (int i = 0; i < 8; ++i)
      notes.push_back({i * 1., 1, 60 + i});
    for (int i = 0; i < 8; ++i)
      notes.push_back({7 + wait + i, 1, 60 + i});
    CHECK(positions(performed(notes, {}), to_metronome(.5, four_four)) == ticks_of(notes));
  }
}

TEST_CASE("notes hours apart and a coarse grid have a reading to a metronome") {
  for (auto apart : {1h, 1'000h})
    for (auto finest : {8, 32}) {
      std::vector<performed_note> notes;
      for (int i = 0; i < 6; ++i)
        notes.push_back({i * apart + i * 130ms, i * apart + 1s, 60, 64, 0});
      auto o = to_metronome(.12, four_four);
      o.rhythm.finest = finest;
      auto found = positions(notes, o);
      CHECK(std::adjacent_find(found.begin(), found.end()) == found.end());
    }
}

TEST_CASE("who waits for some measures has rests in them") {
  std::vector<written_note> notes;
  for (int i = 0; i < 16; ++i)
    notes.push_back({i * 1., 1, 72 + i % 3 * 2});
  for (auto& n : notes)
    n.at += 7;
  notes.insert(notes.begin(), {0, .5, 60});
  auto all = flute_to_metronome(notes);
  REQUIRE(all->measures.size() == 6);
  CHECK(voice_of(*all->measures.at(0)) == "c4:8 r:8 r:q r:h");
  CHECK(voice_of(*all->measures.at(1)) == "r:h r:q c5:q");
  // The same without the first note: the first measure is a whole one.
  performed_part flute;
  flute.program = 73;
  flute.notes = performed(notes, {});
  flute.notes.erase(flute.notes.begin());
  transcription_options o;
  o.tracker = to_metronome(.5, four_four);
  auto found = transcribe({flute}, o);
  REQUIRE(found);
  auto& waiting = *found->front().score->parts.front();
  REQUIRE(waiting.measures.size() == 6);
  CHECK(waiting.measures.at(0)->number == "1");
  CHECK_FALSE(waiting.measures.at(0)->implicit);
  CHECK(voice_of(*waiting.measures.at(1)) == "r:h r:q c5:q");
}

TEST_CASE("the tempo of a metronome is written exactly") {
  performed_part flute;
  flute.program = 73;
  playing how;
  how.quarter = 60 / 92.5;
  flute.notes = performed(study(4, 4), how);
  transcription_options o;
  o.tracker = to_metronome(how.quarter, four_four);
  auto found = transcribe({flute}, o);
  REQUIRE(found);
  CHECK(found->front().quarters_per_minute == Approx(92.5));
}

}  // namespace fermata::midi::known_beats_test
