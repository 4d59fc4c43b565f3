#include "midi/transcription/compare_takes.hpp"

#include <catch2/catch.hpp>

#include <random>

using namespace fermata::midi;
using namespace std::chrono_literals;

namespace {

performed_note note(int key, std::chrono::nanoseconds on, int velocity = 64) {
  return {on, on + 100ms, static_cast<std::uint8_t>(key), static_cast<std::uint8_t>(velocity)};
}

/// A note each half second.
std::vector<performed_note> melody(std::initializer_list<int> keys) {
  std::vector<performed_note> notes;
  for (auto key : keys)
    notes.push_back(note(key, 500ms * notes.size()));
  return notes;
}

std::vector<int> keys_of(const std::vector<performed_note>& notes) {
  std::vector<int> keys;
  for (auto& n : notes)
    keys.push_back(n.key);
  return keys;
}

}  // namespace

TEST_CASE("a take that is compared with itself has all notes in common") {
  auto notes = melody({60, 62, 64, 65, 67});
  auto c = compare_performances(notes, notes);
  REQUIRE(c);
  CHECK(c->common == 5);
  CHECK(c->only_first.empty());
  CHECK(c->only_second.empty());
  CHECK(c->tempo.value() == Approx(1));
  CHECK(c->timing == 0ns);
  CHECK(c->velocity == 0);
  CHECK(described(*c, 1, 2) == "5 notes in common\nthe tempo of take 2 is the same; otherwise its "
                               "notes are off by 0 ms (median)");
}

TEST_CASE("missing, added and wrong notes are found") {
  auto c =
      compare_performances(melody({60, 62, 64, 65, 67, 69}), melody({60, 62, 63, 65, 67, 67, 69}));
  REQUIRE(c);
  CHECK(c->common == 5);
  CHECK(keys_of(c->only_first) == std::vector{64});
  CHECK(keys_of(c->only_second) == std::vector{63, 67});
  CHECK(c->only_second.front().on == 1s);
}

TEST_CASE("tempo, timing and loudness are compared") {
  // The second begins a second later and takes four fifths of the time: it is a quarter faster. Its
  // third note is 40 ms late, which is 50 ms in the tempo of the first.
  auto first = melody({60, 62, 64, 65, 67, 69, 71, 72, 74});
  std::vector<performed_note> second;
  for (auto& n : first)
    second.push_back(note(n.key, 1s + n.on * 4 / 5, 74));
  auto even = compare_performances(first, second);
  REQUIRE(even);
  CHECK(even->tempo.value() == Approx(1.25));
  CHECK(even->timing < 1us);
  CHECK(even->velocity == Approx(10));
  for (std::size_t i = 0; i < second.size(); ++i)
    second[i].on += i % 2 == 0 ? 20ms : -20ms;
  auto uneven = compare_performances(first, second);
  REQUIRE(uneven);
  CHECK(uneven->timing > 20ms);
  CHECK(uneven->timing < 30ms);
  CHECK(described(*even, 3, 4) == "9 notes in common\ntake 4 is 25.0% faster; otherwise its notes "
                                  "are off by 0 ms (median)\ntake 4 is louder: velocity "
                                  "+10, on average");
}

TEST_CASE("the order within a chord does not count") {
  std::vector<performed_note> first{note(60, 0ms), note(64, 5ms), note(67, 10ms), note(72, 500ms)};
  std::vector<performed_note> second{note(67, 0ms), note(60, 8ms), note(64, 20ms), note(72, 500ms)};
  auto c = compare_performances(first, second);
  REQUIRE(c);
  CHECK(c->common == 4);
}

TEST_CASE("chords have no tempo") {
  std::vector<performed_note> first{note(60, 0ms), note(64, 1ms), note(67, 2ms)};
  std::vector<performed_note> second{note(60, 0ms), note(64, 10ms), note(67, 20ms)};
  auto c = compare_performances(first, second);
  REQUIRE(c);
  CHECK(c->common == 3);
  CHECK_FALSE(c->tempo);
}

TEST_CASE("takes of different music are not compared") {
  CHECK_FALSE(compare_performances(melody({60, 61, 62, 63, 64, 65}), melody({72, 74, 76, 77, 79})));
  // Nothing was played in one of them.
  auto c = compare_performances({}, melody({60}));
  REQUIRE(c);
  CHECK(c->common == 0);
  CHECK_FALSE(c->tempo);
}

TEST_CASE("long takes with many differences are compared") {
  std::mt19937 random{7};
  std::vector<performed_note> first, second;
  std::size_t changed = 0;
  for (int i = 0; i < 20'000; ++i) {
    auto n = note(30 + static_cast<int>(random() % 60), 100ms * i);
    first.push_back(n);
    // A key that is in no other note.
    if (i % 100 == 50) {
      n.key = 100;
      ++changed;
    }
    second.push_back(n);
  }
  auto c = compare_performances(first, second);
  REQUIRE(c);
  CHECK(c->common == first.size() - changed);
  CHECK(c->only_second.size() == changed);
  CHECK(described(*c, 1, 2).find(", and 190 more") != std::string::npos);
}
