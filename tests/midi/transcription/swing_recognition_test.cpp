#include "core/score/model/describe.hpp"
#include "midi/performance/render.hpp"
#include "midi/transcription/rhythm_tracker.hpp"
#include "midi/transcription/swung_beat.hpp"
#include "midi/transcription/transcribe.hpp"
#include "tests/midi/transcription/performance.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

/// Swung eighths, by rhythm_tracker.hpp and transcribe.hpp.
namespace fermata::midi::swing_recognition_test {

using namespace testing;
using namespace std::chrono_literals;

namespace {

constexpr counted_metre four_four{4, false};

/// A walking bass and a melody in eighths, with a triplet in every fourth measure.
std::vector<written_note> blues(int measures) {
  std::vector<written_note> notes;
  constexpr int bass[] = {36, 40, 43, 45};
  constexpr int tune[] = {72, 75, 76, 79, 81, 79, 76, 75};
  for (int m = 0; m < measures; ++m) {
    for (int b = 0; b < 4; ++b)
      notes.push_back({m * 4. + b, 1, bass[b] + (m % 4 == 2 ? 5 : 0)});
    auto has_triplet = m % 4 == 1;
    for (int i = 0; i < (has_triplet ? 6 : 8); ++i)
      notes.push_back({m * 4 + i * .5, .5, tune[i]});
    for (int i = 0; has_triplet && i < 3; ++i)
      notes.push_back({m * 4 + 3 + i / 3., 1 / 3., 79 - i});
  }
  std::stable_sort(notes.begin(), notes.end(), [](auto& a, auto& b) { return a.at < b.at; });
  return notes;
}

/// The same with the second eighth of each beat at this share of it.
std::vector<written_note> with_offbeats_at(double share, std::vector<written_note> notes) {
  auto moved = [&](double at) {
    auto inside = at - std::floor(at);
    return std::abs(inside - .5) < 1e-6 ? std::floor(at) + share : at;
  };
  for (auto& n : notes) {
    auto end = moved(n.at + n.length);
    n.at = moved(n.at);
    n.length = end - n.at;
  }
  return notes;
}

std::vector<std::int64_t> sorted(std::vector<std::int64_t> positions) {
  std::sort(positions.begin(), positions.end());
  auto first = positions.front();
  for (auto& p : positions)
    p -= first;
  return positions;
}

std::vector<std::int64_t> ticks_of(const std::vector<written_note>& notes) {
  std::vector<std::int64_t> ticks;
  for (auto& n : notes)
    ticks.push_back(std::llround(n.at * grid_of_quarter));
  return sorted(std::move(ticks));
}

tracked_rhythm best(const std::vector<written_note>& notes, playing how = {},
                    tracker_options o = {}) {
  auto readings = track_rhythm(performed(notes, how), o);
  REQUIRE_FALSE(readings.empty());
  return readings.front();
}

}  // namespace

TEST_CASE("swung eighths are at two thirds of the beat, and triplets stay where they are") {
  CHECK(swung_position(0) == 0);
  CHECK(swung_position(grid_of_eighth) == 2 * grid_of_triplet);
  CHECK(swung_position(grid_of_triplet) == grid_of_triplet);
  CHECK(swung_position(3 * grid_of_quarter + grid_of_eighth) ==
        3 * grid_of_quarter + 2 * grid_of_triplet);
  CHECK(swung_position(-grid_of_eighth) == -grid_of_triplet);
}

TEST_CASE("eighths that are swung more or less are equal, and triplets among them are triplets") {
  auto notes = blues(12);
  for (auto share : {.63, 2 / 3., .69})
    for (auto quarter : {.5, .6}) {
      CAPTURE(share, quarter);
      playing how;
      how.quarter = quarter;
      how.jitter = .01;
      auto r = best(with_offbeats_at(share, notes), how);
      CHECK(r.is_swung);
      CHECK_FALSE(r.metre.is_compound);
      CHECK(sorted(r.positions) == ticks_of(notes));
    }
}

TEST_CASE("straight eighths, dotted rhythms, triplets and jigs are not swung") {
  CHECK_FALSE(best(blues(12)).is_swung);
  CHECK_FALSE(best(with_offbeats_at(.75, blues(12))).is_swung);
  std::vector<written_note> triplets, jig;
  for (int b = 0; b < 48; ++b) {
    triplets.push_back({b * 1., 1, 48 + b % 4});
    for (int i = 0; i < 3; ++i)
      triplets.push_back({b + i / 3., 1 / 3., 72 + i});
    jig.push_back({b * 1.5, 1.5, 48 + b % 4});
    for (auto at : b % 2 == 0 ? std::vector<double>{0, .5, 1} : std::vector<double>{0, 1})
      jig.push_back({b * 1.5 + at, .5, 72 + static_cast<int>(at * 2)});
  }
  CHECK_FALSE(best(triplets).is_swung);
  playing fast;
  fast.quarter = .35;
  CHECK_FALSE(best(jig, fast).is_swung);
}

TEST_CASE("swing is looked for as it is asked for") {
  auto notes = blues(8);
  tracker_options o;
  o.metre = four_four;
  o.swing = swing_choice::off;
  auto swung = with_offbeats_at(2 / 3., notes);
  CHECK_FALSE(best(swung, {}, o).is_swung);
  o.swing = swing_choice::on;
  CHECK(best(notes, {}, o).is_swung);
  CHECK(sorted(best(swung, {}, o).positions) == ticks_of(notes));
  o.swing = swing_choice::recognized;
  o.beats = beat_grid::steady(1s, .5);
  CHECK(best(swung, {}, o).is_swung);
}

TEST_CASE("what was swung is written straight, is marked, and is swung when it is played") {
  auto swung = with_offbeats_at(2 / 3., blues(8));
  performed_part piano;
  piano.notes = performed(swung, {});
  transcription_options o;
  o.tracker.metre = four_four;
  o.tracker.beats = beat_grid::steady(1s, .5);
  auto found = transcribe({piano}, o);
  REQUIRE(found);
  auto& t = found->front();
  CHECK(t.is_swung);
  CHECK(described(t).starts_with("4/4 with swung eighths, 120 quarter notes per minute: "));
  std::string first_voice;
  for (auto& item : t.score->parts.front()->measures.at(0)->items)
    if (auto* x = std::get_if<chord_rest>(&item.content); x && x->voice == "1")
      first_voice += describe_rhythm(*x) + " ";
  CHECK(first_voice.starts_with("c5:8 "));
  CHECK(std::count(first_voice.begin(), first_voice.end(), '8') >= 8);
  auto again = render(*t.score);
  REQUIRE(again);
  std::vector<std::int64_t> played;
  for (auto& e : again->events)
    if (std::holds_alternative<note_on>(e.what))
      played.push_back(floor(e.at.value * rational{grid_of_quarter}));
  CHECK(sorted(played) == ticks_of(swung));
}

}  // namespace fermata::midi::swing_recognition_test
