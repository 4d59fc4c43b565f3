#include "midi/transcription/rhythm_tracker.hpp"

#include "tests/midi/transcription/performance.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

namespace fermata::midi::rhythm_tracker_test {

using namespace testing;
using namespace std::chrono_literals;

namespace {

constexpr counted_metre three_four{3, false}, four_four{4, false}, six_eight{2, true};

/// A bass note on the downbeat and chords on the other beats, with a melody of these lengths.
std::vector<written_note> accompanied(const std::vector<double>& melody, double beat, int beats,
                                      int measures) {
  std::vector<written_note> notes;
  for (int m = 0; m < measures; ++m)
    for (int b = 0; b < beats; ++b) {
      auto at = (m * beats + b) * beat;
      if (b == 0) {
        notes.push_back({at, beat * beats, 36 + m % 3 * 5});
        notes.push_back({at, beat, 48});
      } else {
        notes.push_back({at, beat, 55});
        notes.push_back({at, beat, 60});
      }
    }
  double at = 0;
  for (std::size_t i = 0; at < measures * beats * beat; ++i) {
    auto length = melody[i % melody.size()];
    notes.push_back({at, length, 72 + static_cast<int>(i % 7)});
    at += length;
  }
  std::stable_sort(notes.begin(), notes.end(), [](auto& a, auto& b) { return a.at < b.at; });
  return notes;
}

/// Of the notes in order of onset, as they were played without jitter.
std::vector<std::int64_t> ticks_of(const std::vector<written_note>& notes) {
  std::vector<std::int64_t> ticks;
  for (auto& n : notes)
    ticks.push_back(static_cast<std::int64_t>(n.at * grid_of_quarter + .5));
  return ticks;
}

tracked_rhythm best(const std::vector<performed_note>& notes, const tracker_options& o = {}) {
  auto readings = track_rhythm(notes, o);
  REQUIRE_FALSE(readings.empty());
  REQUIRE(readings.front().positions.size() == notes.size());
  return readings.front();
}

/// The positions from the first note on.
std::vector<std::int64_t> from_first(const tracked_rhythm& r) {
  auto positions = r.positions;
  auto first = positions.front();
  for (auto& p : positions)
    p -= first;
  return positions;
}

}  // namespace

TEST_CASE("a waltz in strict time is found as it is written, at any tempo") {
  auto notes = accompanied({1, .5, .5, 1, 1.5, .5, 1}, 1, 3, 8);
  for (auto quarter : {.5, .6, .75}) {
    CAPTURE(quarter);
    playing how;
    how.quarter = quarter;
    auto r = best(performed(notes, how));
    CHECK(r.metre == three_four);
    CHECK(r.positions == ticks_of(notes));
    CHECK(r.quarter_seconds.back() == Approx(quarter).epsilon(.02));
    CHECK(std::none_of(r.is_ornament.begin(), r.is_ornament.end(), [](bool x) { return x; }));
  }
}

TEST_CASE("sixteenths, triplets and compound metres are told apart") {
  auto sixteenths = accompanied({.5, .25, .25, 1, .75, .25, 1}, 1, 4, 6);
  auto r = best(performed(sixteenths, {}));
  CHECK_FALSE(r.metre.is_compound);
  CHECK(from_first(r) == ticks_of(sixteenths));

  auto triplets = accompanied({1, 1. / 3, 1. / 3, 1. / 3, .5, .5, 1}, 1, 4, 6);
  r = best(performed(triplets, {}));
  CHECK_FALSE(r.metre.is_compound);
  CHECK(from_first(r) == ticks_of(triplets));

  auto jig = accompanied({.5, .5, .5, 1, .5, .5, .5, .5, 1.5}, 1.5, 2, 8);
  playing fast;
  fast.quarter = .4;
  r = best(performed(jig, fast));
  CHECK(r.metre == six_eight);
  CHECK(r.positions == ticks_of(jig));
}

TEST_CASE("uneven playing and a ritardando do not change the rhythm") {
  auto notes = accompanied({.5, .25, .25, 1, .75, .25, 1}, 1, 4, 8);
  playing how;
  how.jitter = .02;
  how.ritardando = .5;
  how.held = .7;
  auto played = performed(notes, how);
  auto r = best(played);
  // Notes of a chord may have changed places.
  auto found = from_first(r);
  std::sort(found.begin(), found.end());
  CHECK(found == ticks_of(notes));
  CHECK(r.quarter_seconds.back() > r.quarter_seconds.front() * 1.3F);
}

TEST_CASE("a metre and a tempo that are given are kept to") {
  auto notes = accompanied({1, 1, .5, .5}, 1, 3, 6);
  tracker_options o;
  o.metre = four_four;
  auto readings = track_rhythm(performed(notes, {}), o);
  REQUIRE(readings.size() == 1);
  CHECK(readings.front().metre == four_four);
  o = {};
  o.quarter_seconds = 1;  // half as fast as the tempo that would be found
  auto r = best(performed(notes, {}), o);
  CHECK(r.quarter_seconds.back() == Approx(1).epsilon(.1));
  auto halved = ticks_of(notes);
  for (auto& t : halved)
    t /= 2;
  CHECK(from_first(r) == halved);
}

TEST_CASE("a coarser grid and rhythm without triplets have no finer positions") {
  auto notes = accompanied({1. / 3, 1. / 3, 1. / 3, .25, .25, .5}, 1, 4, 6);
  tracker_options o;
  o.rhythm = {16, false};
  for (auto p : best(performed(notes, {}), o).positions)
    CHECK(p % grid_of_sixteenth == 0);
  o.rhythm = {8, false};
  o.metre = four_four;
  for (auto p : best(performed(notes, {}), o).positions)
    CHECK(p % grid_of_eighth == 0);
}

TEST_CASE("quintuplets are told from sixteenths and triplets, if they are looked for") {
  std::vector<double> melody{1};
  melody.insert(melody.end(), 5, .2);
  melody.insert(melody.end(), 4, .25);
  melody.insert(melody.end(), 3, 1 / 3.);
  auto notes = accompanied(melody, 1, 4, 8);
  tracker_options o;
  o.metre = four_four;
  o.rhythm.quintuplets = true;
  playing how;
  how.quarter = .8;
  CHECK(from_first(best(performed(notes, how), o)) == ticks_of(notes));
  o.rhythm.quintuplets = false;
  for (auto p : best(performed(notes, how), o).positions)
    CHECK((p % grid_of_quintuplet != 0 || p % grid_of_quarter == 0));
}

TEST_CASE("five beats in a measure are kept to") {
  auto notes = accompanied({1, .5, .5, 1, 1.5, .5}, 1, 5, 8);
  tracker_options o;
  o.metre = counted_metre{5, false};
  auto r = best(performed(notes, {}), o);
  CHECK(from_first(r) == ticks_of(notes));
  CHECK(r.positions.front() == 0);
}

TEST_CASE("recordings of songs with uneven tempo are in the rhythm of their scores") {
  // The shares are those of the truth that must be met at least; a grid of the nominal tempo finds
  // fewer than a third.
  struct recording {
    const char* name;
    bool is_compound;
    double least;
  };
  for (auto [name, is_compound, least] :
       {recording{"franz-widmung", false, .98}, recording{"gray-under-the-cliffs", true, .9},
        recording{"lehmann-seal-song", false, .96}, recording{"gray-voice", true, .9}}) {
    CAPTURE(name);
    auto truth = recorded(name);
    auto r = best(played(truth));
    CHECK(r.metre.is_compound == is_compound);
    CHECK(share_of_intervals(truth, r.positions) >= least);
  }
}

TEST_CASE("even notes are eighths or sixteenths, at any tempo") {
  for (auto seconds : {.2, .25, .3, .4, .5})
    for (auto count : {16, 64})
      for (auto chord : {1, 2}) {
        CAPTURE(seconds, count, chord);
        std::vector<written_note> notes;
        for (int i = 0; i < count; ++i)
          for (int k = 0; k < chord; ++k)
            notes.push_back({i * seconds / .5, seconds / .5, 60 + i % 8 + 12 * k});
        auto r = best(performed(notes, {}));
        CHECK_FALSE(r.metre.is_compound);
        auto found = from_first(r);
        for (std::size_t i = 0; i < found.size(); ++i)
          CHECK(found[i] % grid_of_sixteenth == 0);
      }
}

TEST_CASE("after a long pause the beat goes on, and no note is an ornament of one far away") {
  for (auto pause : {2., 10., 60., 300.}) {
    CAPTURE(pause);
    auto notes = accompanied({1, .5, .5, 1}, 1, 3, 6);
    auto count = notes.size();
    auto end = notes.back().at + 1;
    // The same again after the pause, then a single last note.
    for (std::size_t i = 0; i < count; ++i)
      notes.push_back({end + pause * 2 + notes[i].at, notes[i].length, notes[i].key});
    notes.push_back({notes.back().at + 5, 4, 60});
    auto r = best(performed(notes, {}));
    CHECK(std::none_of(r.is_ornament.begin(), r.is_ornament.end(), [](bool x) { return x; }));
    CHECK(std::is_sorted(r.positions.begin(), r.positions.end()));
    auto second = r.positions[count] - r.positions[0];
    CHECK(std::abs(static_cast<double>(second) / grid_of_quarter - (end + pause * 2)) <=
          pause * .3 + 1);
  }
}

TEST_CASE("the same notes always get the same reading") {
  auto notes = played(recorded("franz-widmung"));
  auto one = track_rhythm(notes), other = track_rhythm(notes);
  REQUIRE(one.size() == usual_metres);
  for (std::size_t i = 0; i < one.size(); ++i) {
    CHECK(one[i].metre == other[i].metre);
    CHECK(one[i].positions == other[i].positions);
    CHECK(one[i].score == other[i].score);
    if (i > 0) CHECK(one[i].score <= one[i - 1].score);
  }
}

TEST_CASE("few notes, many at once and notes far apart have a reading") {
  CHECK(track_rhythm({}).empty());
  CHECK(best({{1s, 2s, 60, 64, 0}}).positions.size() == 1);
  std::vector<performed_note> cluster;
  for (int key = 21; key <= 108; ++key)
    cluster.push_back({1s, 1s, static_cast<std::uint8_t>(key), 64, 0});
  auto r = best(cluster);
  CHECK(std::all_of(r.positions.begin(), r.positions.end(),
                    [&](auto p) { return p == r.positions.front(); }));
  std::vector<performed_note> rare;
  for (int i = 0; i < 20; ++i)
    rare.push_back({i * 60s, i * 60s + 1s, 60, 64, 0});
  auto far_apart = best(rare);
  CHECK(std::is_sorted(far_apart.positions.begin(), far_apart.positions.end()));
  std::vector<performed_note> machine;
  for (int i = 0; i < 1'000; ++i)
    machine.push_back({i * 1ms, i * 1ms, static_cast<std::uint8_t>(i % 128), 64, 0});
  CHECK(best(machine).positions.size() == 1'000);
}

TEST_CASE("notes hours apart have a reading in every metre and at every tempo") {
  std::vector<counted_metre> metres{counted_metres.begin(), counted_metres.end()};
  for (auto apart : {1h, 10h, 1'000h})
    for (auto quarter : {.12, .5, 3.})
      for (auto& metre : metres) {
        std::vector<performed_note> notes;
        for (int i = 0; i < 6; ++i)
          notes.push_back({i * apart, i * apart + 1s, 60, 64, 0});
        tracker_options o;
        o.quarter_seconds = quarter;
        o.metre = metre;
        auto positions = best(notes, o).positions;
        CHECK(std::is_sorted(positions.begin(), positions.end()));
        // None begins with another one.
        CHECK(std::adjacent_find(positions.begin(), positions.end()) == positions.end());
      }
}

TEST_CASE("tracking is interrupted when it is asked to") {
  auto notes = played(recorded("gray-under-the-cliffs"));
  int asked = 0;
  tracker_options o;
  o.is_cancelled = [&] { return ++asked == 2; };
  CHECK(track_rhythm(notes, o).empty());
  CHECK(asked == 2);
}

}  // namespace fermata::midi::rhythm_tracker_test
