#include "tests/actors/midi/recording_fixture.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

namespace fermata::actors::record_to_beats_test {

namespace {

using namespace testing;

/// When a note that the device was told to play is due, from 0.
midi::steady_time note_due(recording_session& s, std::size_t index) {
  s.wait_for_notes(index + 1);
  for (auto& m : s.devices->port("piano")->messages())
    if ((m.bytes[0] & 0xF0) == 0x90 && m.bytes[2] > 0 && index-- == 0) return m.due;
  FAIL("no note");
  return {};
}
midi::steady_time first_note(recording_session& s) { return note_due(s, 0); }

/// Until the take that is being recorded has ended by itself and was transcribed.
void wait_for_proposal(recording_session& s, const std::string& name) {
  s.wait_for_recording([](auto& r) { return !r.is_recording(); });
  s.becomes_true([&] { return has(s.enter(":proposals"), name); });
}

constexpr auto two_parts =
    "(score (part :violin (measure (tempo :q 120) (note c5 :w)) (measure (note d5 :w)))"
    " (part :cello (measure (note c3 :w)) (measure (note d3 :w))))";

}  // namespace

TEST_CASE("what is played to a metronome is transcribed on its beats") {
  recording_session s;
  auto said = s.enter(":record --metronome --count-in --tempo 240 --meter 3/4");
  CHECK(has(said, "recording take 1 from Input keyboard; `:stop` ends it"));
  CHECK(has(said, "playing a metronome on Device piano"));
  auto first = first_note(s) + 750ms;
  // Six quarter notes of 250 ms, the first one too early.
  auto errors = {-20ms, 10ms, -5ms, 0ms, 15ms, 20ms};
  auto at = 0ms;
  std::uint8_t key = 60;
  for (auto error : errors) {
    s.note(first, at + error, at + 240ms, key++);
    at += 250ms;
  }
  s.wait_for_notes(3 + 8);
  said = s.enter(":stop");
  CHECK(has(said, "take 1: 6 notes in "));
  CHECK(has(said, "3/4, 240 quarter notes per minute"));
  auto take = s.take(1);
  REQUIRE(take.music.beats.size() >= 6);
  for (std::size_t i = 0; i < 6; ++i) {
    CHECK(take.music.beats[i].number == static_cast<int>(i) % 3 + 1);
    CHECK(take.music.beats[i].metre == midi::time_change{3, 4});
    auto from_first = take.music.beats[i].at - take.music.beats[0].at;
    CHECK(std::chrono::abs(from_first - static_cast<int>(i) * 250ms) < 1us);
  }
  CHECK(std::chrono::abs(take.music.events[0].at - take.music.beats[0].at + 20ms) < 1us);
  CHECK(has(s.enter(":accept 1"), "6 notes added"));
  auto score = s.enter(":score");
  CHECK(has(score, "(time 3 4)"));
  for (auto note : {"(note c4 :q)", "(note d4 :q)", "(note e4 :q)", "(note f4 :q)"})
    CHECK(has(score, note));
  // Without the beats, if something else is said.
  CHECK(has(s.enter(":quantize 1 --meter 4/4"), "4/4, "));
}

TEST_CASE("what is played to a MIDI clock is transcribed on its beats, and ends with it") {
  recording_session s;
  CHECK(has(s.enter(":record --clock --meter 3/4"), "and so does the clock when it stops"));
  auto first = now();
  s.play(first - 10ms, {0xF8});  // it is not started yet
  s.play(first, {0xFA});
  // Six quarter notes of 240 ms, 10 ms a pulse; the notes are a little early or late.
  std::vector<std::pair<std::chrono::milliseconds, std::vector<std::uint8_t>>> messages;
  for (int i = 0; i < 6 * 24; ++i)
    messages.push_back({i * 10ms, {0xF8}});
  auto at = 0ms;
  std::uint8_t key = 60;
  for (auto error : {5ms, 10ms, -5ms, 0ms, 15ms, -15ms}) {
    messages.push_back({at + error, {0x90, key, 80}});
    messages.push_back({at + 225ms, {0x80, key++, 64}});
    at += 240ms;
  }
  std::stable_sort(messages.begin(), messages.end(),
                   [](auto& a, auto& b) { return a.first < b.first; });
  for (auto& [time, bytes] : messages)
    s.play(first + time, bytes);
  s.play(first + 1440ms, {0xFC});
  wait_for_proposal(s, "take 1");
  auto take = s.take(1);
  REQUIRE(take.music.beats.size() == 6);
  for (std::size_t i = 0; i < 6; ++i) {
    CHECK(take.music.beats[i].number == static_cast<int>(i) % 3 + 1);
    CHECK(take.music.beats[i].metre == midi::time_change{3, 4});
    auto from_first = take.music.beats[i].at - take.music.beats[0].at;
    CHECK(std::chrono::abs(from_first - static_cast<int>(i) * 240ms) < 1us);
  }
  CHECK(keys_on(take.music).size() == 6);
  CHECK(has(s.enter(":accept 1"), "6 notes added"));
  auto score = s.enter(":score");
  CHECK(has(score, "(time 3 4)"));
  for (auto note : {"(note c4 :q)", "(note d4 :q)", "(note e4 :q)", "(note f4 :q)"})
    CHECK(has(score, note));
}

TEST_CASE("the clock of one input counts, the one that is started first") {
  recording_session s;
  s.devices->plug_in_input("drums");
  s.enter(":midi input all");
  s.enter(":record --clock");
  // Both are running, at another tempo and at the same times.
  auto first = now();
  for (int i = 50; i > 0; --i)
    for (auto input : {"keyboard", "drums"})
      s.play(first - i * 20ms, {0xF8}, input);
  first += 600ms;  // a pause
  s.play(first, {0xFA});
  for (int i = 0; i < 49; ++i) {
    s.play(first + i * 10ms, {0xF8});
    s.play(first + i * 10ms + 1ms, {0xF8}, "drums");
  }
  s.play(first + 500ms, {0xFA}, "drums");
  s.play(first + 510ms, {0xFC}, "drums");
  s.note(first, 490ms, 495ms, 60);
  s.wait_for_recording([](auto& r) { return r.notes == 1; });
  CHECK(s.recording.is_recording());
  CHECK(has(s.enter(":stop"), "take 1: 1 note in "));
  auto beats = s.take(1).music.beats;
  REQUIRE(beats.size() == 3);
  for (std::size_t i = 1; i < 3; ++i)
    CHECK(std::chrono::abs(beats[i].at - beats[i - 1].at - 240ms) < 1us);
}

TEST_CASE("chords are told for step entry, each with the keys that are held together") {
  recording_session s;
  CHECK(has(s.enter(":step"), "step entry from Input keyboard"));
  auto first = now();
  s.note(first, 0ms, 10ms, 60);
  s.play(first + 20ms, {0x90, 64, 80});
  s.play(first + 21ms, {0x90, 67, 80});
  s.play(first + 30ms, {0x80, 64, 64});
  s.play(first + 31ms, {0x90, 72, 80});  // 67 is still down
  s.play(first + 40ms, {0x80, 67, 64});
  s.play(first + 41ms, {0x90, 72, 0});
  s.note(first, 50ms, 60ms, 62);
  using keys = std::vector<std::uint8_t>;
  s.wait_for_recording(
      [](auto& r) { return r.chords.size() == 3 && r.chords.back().keys[0] == 62; });
  auto& chords = s.recording.chords;
  CHECK(chords[0].keys == keys{60});
  CHECK(chords[1].keys == keys{64, 67, 72});
  CHECK(chords[2].keys == keys{62});
  CHECK(chords[1].number == chords[0].number + 1);
  CHECK_FALSE(s.recording.is_recording());
  // A key that is struck again without having been released begins another chord.
  s.play(first + 70ms, {0x90, 50, 80});
  s.play(first + 80ms, {0x90, 50, 80});
  s.wait_for_recording([](auto& r) { return r.chords.size() == 5; });
  // Many chords: the newest are told.
  s.play(first + 90ms, {0x80, 50, 64});
  for (int i = 0; i < 30; ++i)
    s.note(first, 100ms + i * 10ms, 105ms + i * 10ms, static_cast<std::uint8_t>(40 + i));
  s.wait_for_recording([](auto& r) { return r.chords.back().keys == keys{69}; });
  CHECK(s.recording.chords.size() <= 16);
  s.enter(":midi input off");
  CHECK(has(s.enter(":step"), "MIDI inputs are off"));
}

TEST_CASE("a take of so many measures ends by itself, and its notation is proposed") {
  recording_session s;
  CHECK(has(s.enter(":record --measures 8 --tempo 500 --meter 2/4"), "playing a metronome"));
  auto first = first_note(s);
  for (int i = 0; i < 4; ++i)
    s.note(first, i * 120ms, i * 120ms + 100ms, 60);
  wait_for_proposal(s, "take 1");
  CHECK_FALSE(s.recording.is_recording());
  CHECK(s.take(1).is_complete);
  CHECK(s.take(1).music.beats.size() == 16);
}

TEST_CASE("measures of a part are recorded again while the other parts play") {
  recording_session s;
  s.enter(two_parts);
  CHECK(has(s.enter(":record Cello --punch 2"), "playing the score"));
  auto first = first_note(s);
  CHECK(s.keys_on().front() == 74);  // d5 of the violin
  s.note(first, 0ms, 980ms, 55);
  s.note(first, 1'000ms, 1'980ms, 57);
  wait_for_proposal(s, "take 1");
  CHECK(s.take(1).place == io::take_place{"P2", std::pair{2, 2}});
  CHECK(s.keys_on() == std::vector<int>{74});
  CHECK(has(s.enter(":accept 1"), "measure 2"));
  auto score = s.enter(":score");
  INFO(score);
  CHECK(has(score, "(note c3 :w)"));
  CHECK(has(score, "(measure (note g3 :h) (note a3 :h))"));
  CHECK_FALSE(has(score, "(note d3 :w)"));
  CHECK(has(score, "(measure (note d5 :w))"));
  // The same place when it is transcribed again.
  CHECK(has(s.enter(":quantize 1"), "proposal 2: "));
}

TEST_CASE("a take that is stopped early replaces only the measures that were played") {
  recording_session s;
  s.enter(two_parts);
  s.enter(":record Cello --overdub");
  s.note(first_note(s), 0ms, 1'980ms, 55);
  // Within the first measure: it has eight beats more than these two.
  s.wait_for_status([](auto& p) { return p.measure == "1" && p.beat == 2; });
  s.enter(":stop");
  CHECK(s.take(1).place == io::take_place{"P2", std::pair{1, 2}});
  s.enter(":accept 1");
  auto score = s.enter(":score");
  INFO(score);
  CHECK_FALSE(has(score, "(note c3 :w)"));
  CHECK(has(score, "(note d3 :w)"));
}

TEST_CASE("what is played before the first measure is not in it") {
  recording_session s;
  s.enter(two_parts);
  s.enter(":record Cello --punch 2 --count-in");
  auto first = first_note(s) + 2'000ms;  // after four clicks
  s.note(first, -1'400ms, -1'000ms, 40);
  s.note(first, 0ms, 1'980ms, 55);
  wait_for_proposal(s, "take 1");
  s.enter(":accept 1");
  auto score = s.enter(":score");
  INFO(score);
  CHECK(has(score, "(note g3 :w)"));
  CHECK_FALSE(has(score, "e2"));
  CHECK(has(score, "(note c3 :w)"));
}

TEST_CASE("a part of two staves and a transposing part are written in their way") {
  recording_session s;
  s.enter(
      "(score (part :piano (measure (tempo :q 120) (staff 1 (note c5 :w)) (staff 2 (note c3 :w))))"
      " (part :clarinet (measure (note d5 :w))))");
  s.enter(":record Piano --punch 1");
  s.note(first_note(s), 0ms, 1'980ms, 79);
  wait_for_proposal(s, "take 1");
  s.enter(":accept 1");
  auto score = s.enter(":score");
  INFO(score);
  CHECK(has(score, "(note g5 :w)"));
  CHECK_FALSE(has(score, "(note c3 :w)"));  // what was muted has gone
  auto clicks = s.keys_on().size();
  s.enter(":record Clarinet --metronome --tempo 500");
  s.note(note_due(s, clicks), 0ms, 470ms,
         70);  // sounding B flat 4, written C5 for a clarinet in B flat
  s.wait_for_notes(clicks + 5);
  s.enter(":stop");
  s.enter(":accept 2");
  score = s.enter(":score");
  INFO(score);
  CHECK(has(score, "(note c5 :w)"));
}

TEST_CASE("the metronome ends with the session of its take") {
  recording_session s;
  s.enter("(def x 1)");
  s.enter(":record --metronome");
  s.wait_for_notes(1);
  s.enter(":session new other");
  s.window.change_to("other");
  s.wait([](front_end_event& e) { return std::holds_alternative<front_end_events::opened>(e); });
  // Another session does not end the take, nor its metronome.
  CHECK(has(s.enter(":stop"), "! take 1 is being recorded in session test"));
  auto clicks = s.keys_on().size();
  s.wait_for_notes(clicks + 2);
  s.enter(":session archive test");
  s.wait_for_recording([](auto& r) { return !r.is_recording(); });
  s.wait_for_state(playback_status::state_t::stopped);
}

TEST_CASE("what is played along with the score becomes a part of its own") {
  recording_session s;
  s.enter(two_parts);
  CHECK(has(s.enter(":record --overdub"), "playing the score"));
  auto first = first_note(s);
  s.note(first, 2'000ms, 3'980ms, 67);
  wait_for_proposal(s, "take 1");
  s.enter(":accept 1");
  auto score = s.enter(":score");
  CHECK(has(score, "(part :violin"));
  CHECK(has(score, "\"Take 1\""));
  CHECK(has(score, "(note g4 :w)"));
}

TEST_CASE("a take is for a part that is named") {
  recording_session s;
  s.enter(two_parts);
  s.enter(":record Violin --metronome --tempo 500");
  auto first = first_note(s);
  s.note(first, 0ms, 470ms, 79);
  s.wait_for_notes(5);
  s.enter(":stop");
  s.enter(":accept 1");
  auto score = s.enter(":score");
  CHECK(score.find("(note g5 :w)") < score.find("(part :cello"));
}

TEST_CASE("nothing is left of a take whose metronome cannot be played") {
  recording_session s;
  s.devices->unplug("piano");
  CHECK(has(s.enter(":record --metronome"), "! no synthesizer and no MIDI ports"));
  CHECK_FALSE(s.recording.is_recording());
  CHECK(s.enter(":takes") == "no takes; `:record` records one");
  CHECK(has(s.enter(":record"), "recording take 1"));
}

TEST_CASE("beats of music that is played during a take are in it") {
  recording_session s;
  s.enter(two_parts);
  s.enter(":record");
  s.enter(":play");
  s.note(first_note(s), 0ms, 480ms, 60);
  s.wait_for_status([](auto& p) { return p.measure == "2"; });
  // Ends only the take's own music with it.
  s.wait_for_state(playback_status::state_t::stopped);
  CHECK(s.recording.is_recording());
  CHECK(has(s.enter(":stop"), "4/4, 120 quarter notes per minute"));
  CHECK(s.take(1).music.beats.size() == 8);
}

}  // namespace fermata::actors::record_to_beats_test
