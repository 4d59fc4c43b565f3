#include "midi/transcription/hands.hpp"

#include "midi/transcription/beat_times.hpp"
#include "midi/transcription/note_lengths.hpp"

#include <catch2/catch.hpp>

namespace fermata::midi::hands_test {

using namespace std::chrono_literals;

namespace {

constexpr int quarter = grid_of_quarter;

struct placed {
  std::int64_t at;  ///< ticks
  int key;
};

std::string hands(const std::vector<placed>& notes) {
  std::vector<performed_note> played;
  std::vector<std::int64_t> positions;
  for (auto& n : notes) {
    performed_note p;
    p.key = static_cast<std::uint8_t>(n.key);
    played.push_back(p);
    positions.push_back(n.at);
  }
  std::string text;
  for (auto h : hands_of(played, positions))
    text += h == hand::left ? 'L' : 'R';
  return text;
}

performed_note held(std::chrono::nanoseconds on, std::chrono::nanoseconds off, int key = 60) {
  return {on, off, static_cast<std::uint8_t>(key), 64, 0};
}

/// At a constant tempo of 500 ms a quarter.
tracked_rhythm rhythm_at(const std::vector<std::int64_t>& positions) {
  tracked_rhythm r;
  r.positions = positions;
  r.is_ornament.resize(positions.size());
  r.quarter_seconds.resize(positions.size(), .5F);
  return r;
}

std::vector<std::int64_t> lengths(const std::vector<performed_note>& notes,
                                  const std::vector<std::int64_t>& positions) {
  return note_lengths(notes, rhythm_at(positions), std::vector<hand>(notes.size(), hand::right));
}

}  // namespace

TEST_CASE("a bass and a melody far apart are two hands, also where only one plays") {
  CHECK(hands({{0, 36}, {0, 72}, {24, 76}, {48, 43}, {48, 79}, {72, 40}}) == "LRRLRL");
}

TEST_CASE("chords that one hand cannot span are divided at the gap") {
  // A tenth and more: C2 G2 E4 C5, then with the hands close together.
  CHECK(hands({{0, 36}, {0, 43}, {0, 64}, {0, 72}}) == "LLRR");
  CHECK(hands({{0, 48}, {0, 52}, {0, 55}, {0, 64}, {0, 67}, {0, 72}}) == "LLLRRR");
}

TEST_CASE("a melody alone above middle C is the right hand's, one below it the left hand's") {
  CHECK(hands({{0, 67}, {24, 69}, {48, 71}, {72, 72}}) == "RRRR");
  CHECK(hands({{0, 48}, {24, 50}, {48, 52}, {72, 53}}) == "LLLL");
  CHECK(hands({}).empty());
}

TEST_CASE("times are positions between the onsets, and at the edges by the tempo") {
  std::vector<performed_note> notes{held(1s, 2s), held(1'500ms, 2s), held(2'500ms, 3s)};
  beat_times times{notes, rhythm_at({0, quarter, 2 * quarter})};
  CHECK(times.position_at(1s) == Approx(0));
  CHECK(times.position_at(1'250ms) == Approx(.5 * quarter));
  CHECK(times.position_at(2s) == Approx(1.5 * quarter));
  CHECK(times.position_at(3s) == Approx(3 * quarter));
  CHECK(times.position_at(500ms) == Approx(-quarter));
}

TEST_CASE("a note lasts to the next one of its hand, though it was let go early or late") {
  // Quarter notes held for 0.6 and 1.15 of their length.
  CHECK(lengths({held(0ms, 300ms), held(500ms, 1'075ms), held(1s, 1'450ms)},
                {0, quarter, 2 * quarter}) == std::vector<std::int64_t>{quarter, quarter, quarter});
}

TEST_CASE("a very short note is followed by a rest") {
  // 100 ms of a half note: not a half note, but an eighth or less.
  auto found = lengths({held(0ms, 100ms), held(1s, 1'450ms)}, {0, 2 * quarter});
  CHECK(found[0] <= quarter / 2);
  CHECK(found[1] == quarter);
}

TEST_CASE("a very short note that the pedal holds is not followed by a rest") {
  std::vector<performed_note> notes{held(0ms, 50ms), held(1s, 1'450ms)};
  auto rhythm = rhythm_at({0, 2 * quarter});
  std::vector<hand> right(2, hand::right);
  CHECK(note_lengths(notes, rhythm, right)[0] < quarter);
  CHECK(note_lengths(notes, rhythm, right, {{20ms, 990ms}})[0] == 2 * quarter);
  // The pedal goes up before the next note.
  CHECK(note_lengths(notes, rhythm, right, {{20ms, 200ms}})[0] < 2 * quarter);
}

TEST_CASE("a note that is held across others lasts as long as it was held") {
  // A half note over two quarters.
  auto found = lengths(
      {held(0ms, 980ms, 72), held(0ms, 450ms, 60), held(500ms, 950ms, 62), held(1s, 1'450ms, 64)},
      {0, 0, quarter, 2 * quarter});
  CHECK(found == std::vector<std::int64_t>{2 * quarter, quarter, quarter, quarter});
}

TEST_CASE("the notes of the other hand do not end a note") {
  std::vector<performed_note> notes{held(0ms, 900ms, 48), held(0ms, 400ms, 72),
                                    held(500ms, 900ms, 74), held(1s, 1'900ms, 43)};
  auto found = note_lengths(notes, rhythm_at({0, 0, quarter, 2 * quarter}),
                            {hand::left, hand::right, hand::right, hand::left});
  CHECK(found[0] == 2 * quarter);
  CHECK(found[1] == quarter);
}

}  // namespace fermata::midi::hands_test
