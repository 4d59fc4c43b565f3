#include "midi/transcription/grace_notes.hpp"

#include "midi/transcription/rhythm_tracker.hpp"
#include "tests/midi/transcription/performance.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

namespace fermata::midi::grace_notes_test {

using namespace testing;
using namespace std::chrono_literals;

namespace {

performed_note key(int number, std::chrono::nanoseconds on, std::chrono::nanoseconds off) {
  return {on, off, static_cast<std::uint8_t>(number), 64, 0};
}

/// Chords on the beats, and before the second beat of each measure a grace note, so much earlier
/// than its note.
std::vector<performed_note> with_grace_notes(std::chrono::nanoseconds lead) {
  std::vector<written_note> written;
  for (int b = 0; b < 32; ++b) {
    written.push_back({b * 1., 1, 48 + b % 4});
    written.push_back({b * 1., 1, 55});
    written.push_back({b * 1., 1, 72 + b % 3});
  }
  auto notes = performed(written, {});
  for (int b = 1; b < 32; b += 4) {
    auto main = 1s + b * 500ms;
    notes.push_back(key(72 + b % 3 + 2, main - lead, main + 10ms));
  }
  std::stable_sort(notes.begin(), notes.end(), [](auto& a, auto& b) { return a.on < b.on; });
  return notes;
}

}  // namespace

TEST_CASE("a short note a step beside the next one is played as a grace note") {
  auto is_grace = [](const performed_note& first, const performed_note& second) -> bool {
    return played_as_grace_notes({first, second}).front();
  };
  auto main = key(72, 1s, 1500ms);
  CHECK(is_grace(key(74, 940ms, 1010ms), main));
  CHECK(is_grace(key(71, 970ms, 1s), main));
  CHECK_FALSE(is_grace(key(67, 940ms, 1010ms), main));  // a leap
  CHECK_FALSE(is_grace(key(72, 940ms, 990ms), main));   // the same key again
  CHECK_FALSE(is_grace(key(74, 940ms, 1400ms), main));  // held with it
  CHECK_FALSE(is_grace(key(74, 990ms, 1010ms), main));  // nearly together
  CHECK_FALSE(is_grace(key(74, 800ms, 1010ms), main));  // a note of its own
  CHECK(played_as_grace_notes({}).empty());
}

TEST_CASE("a grace note does not become a note of the chord after it") {
  for (auto lead : {30ms, 50ms, 80ms}) {
    CAPTURE(lead.count());
    auto notes = with_grace_notes(lead);
    tracker_options o;
    o.metre = counted_metre{4, false};
    o.quarter_seconds = .5;
    auto free = track_rhythm(notes, o).front();
    o.beats = beat_grid::steady(1s, .5);
    auto to_metronome = track_rhythm(notes, o).front();
    for (auto* r : {&free, &to_metronome})
      for (std::size_t i = 0; i < notes.size(); ++i) {
        auto is_grace = notes[i].off - notes[i].on < 200ms;
        CHECK(r->is_ornament[i] == is_grace);
        if (!is_grace) CHECK(r->positions[i] % grid_of_quarter == 0);
      }
  }
}

TEST_CASE("a run and a trill have no grace notes") {
  std::vector<performed_note> run, trill;
  for (int i = 0; i < 20; ++i) {
    run.push_back(key(60 + i, i * 90ms, i * 90ms + 90ms));
    trill.push_back(key(72 + i % 2, i * 60ms, i * 60ms + 60ms));
  }
  for (auto& notes : {run, trill}) {
    auto grace = played_as_grace_notes(notes);
    CHECK(std::none_of(grace.begin(), grace.end(), [](bool x) { return x; }));
  }
}

TEST_CASE("a broken chord has no grace notes") {
  std::vector<performed_note> notes;
  for (int b = 0; b < 16; ++b)
    for (int i = 0; i < 4; ++i)
      notes.push_back(key(60 + i * 2, b * 500ms + i * 30ms, b * 500ms + 450ms));
  auto grace = played_as_grace_notes(notes);
  CHECK(std::none_of(grace.begin(), grace.end(), [](bool x) { return x; }));
}

}  // namespace fermata::midi::grace_notes_test
