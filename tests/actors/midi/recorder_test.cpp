#include "tests/actors/midi/recording_fixture.hpp"

#include <catch2/catch.hpp>

#include <fstream>
#include <sstream>

namespace fermata::actors::recorder_test {

namespace {

using namespace testing;

}  // namespace

TEST_CASE("what is played while a take is recorded is kept, transcribed, and enters the score") {
  recording_session s;
  CHECK(s.enter(":record") == "recording take 1 from Input keyboard; `:stop` ends it");
  s.wait_for_recording([](auto& r) { return r.is_recording() && r.take == 1; });
  auto start = now();
  s.scale(start);
  s.wait_for_recording([](auto& r) { return r.notes == 8 && r.keys.empty(); });
  auto said = s.enter(":stop");
  CHECK(has(said, "take 1: 8 notes in "));
  CHECK(has(said, "4/4, "));
  CHECK(has(said, "proposal 1: "));
  s.wait_for_recording([](auto& r) { return !r.is_recording(); });
  // As it was played, to the nanosecond.
  auto take = s.take(1);
  CHECK(take.is_complete);
  CHECK(take.music.ports == std::vector<std::string>{"keyboard"});
  CHECK(keys_on(take.music) == std::vector<int>{60, 62, 64, 65, 67, 69, 71, 72});
  REQUIRE(take.music.events.size() == 16);
  CHECK(take.music.events[2].at - take.music.events[0].at == 500ms);
  CHECK(take.music.events[1].at - take.music.events[0].at == 480ms);
  // Nothing has changed yet.
  CHECK(has(s.enter(":score"), "empty"));
  // Half a second may be a quarter note or an eighth, unless the tempo is known.
  CHECK(has(s.enter(":quantize --tempo 120"), "4/4, 120 quarter notes per minute"));
  CHECK(has(s.enter(":accept 2"), "8 notes added"));
  auto score = s.enter(":score");
  for (auto note : {"(note c4 :q)", "(note d4 :q)", "(note b4 :q)", "(note c5 :q)"})
    CHECK(has(score, note));
  CHECK(has(s.enter(":blame 1"), "take 1"));
}

TEST_CASE("a take is appended to the score that is there") {
  recording_session s;
  s.enter("(measure (note g3 :w))");
  s.enter(":record");
  s.scale(now());
  s.enter(":stop");
  s.enter(":quantize --tempo 120");
  s.enter(":accept 2");
  auto score = s.enter(":score");
  CHECK(score.find("(note g3 :w)") < score.find("(note c4 :q)"));
  CHECK(has(s.enter(":undo"), "Undid"));
  CHECK_FALSE(has(s.enter(":score"), "(note c4 :q)"));
}

TEST_CASE("a take is transcribed again with other settings, and the proposal is replaced") {
  recording_session s;
  s.enter(":record");
  s.scale(now());
  s.enter(":stop");
  auto said = s.enter(":quantize 1 --meter 3/4");
  CHECK(has(said, "3/4, "));
  CHECK(has(said, "proposal 2: "));
  CHECK(has(s.enter(":accept 1"), "! "));  // replaced
  CHECK(has(s.enter(":accept 2"), "8 notes added"));
  // Among the readings there are other metres.
  said = s.enter(":requantize --as 2");
  CHECK(has(said, "other readings: "));
  CHECK(has(s.enter(":quantize 1 --as 6"), "proposal "));
  CHECK(has(s.enter(":quantize 1 --meter 3/4 --as 2"),
            "! there is no reading 2 of take 1\nThere is only one."));
  CHECK(has(s.enter(":quantize 7"), "! there is no take 7"));
  CHECK(has(s.enter(":quantize 1 --meter 7/8"), "! `7/8` is not a meter that can be recognized"));
  for (auto wrong : {":quantize x", ":quantize 0", ":quantize --as 0", ":quantize --tempo 5",
                     ":quantize --tempo nan", ":quantize --grid 7", ":quantize --tuplets 7",
                     ":quantize --swing perhaps"}) {
    INFO(wrong);
    CHECK(has(s.enter(wrong), "! "));
  }
}

TEST_CASE("what was played before is kept: the last phrase, a length, or everything") {
  recording_session s{{{"midi-input", "all"}}};
  s.devices->plug_in_input("pads");
  REQUIRE(s.becomes_true([&] { return s.devices->input("keyboard") && s.devices->input("pads"); }));
  auto end = now();
  s.note(end - 90s, 0ms, 400ms, 40);
  s.note(end - 40s, 0ms, 400ms, 50, "pads");
  s.scale(end - 10s);
  CHECK(has(s.enter(":keep"), "take 1: 8 notes in 4.0 s"));
  CHECK(keys_on(s.take(1).music) == std::vector<int>{60, 62, 64, 65, 67, 69, 71, 72});
  CHECK(has(s.enter(":keep 1m"), "take 2: 9 notes"));
  CHECK(s.take(2).music.ports == std::vector<std::string>{"pads", "keyboard"});
  CHECK(has(s.enter(":keep all"), "take 3: 10 notes"));
  CHECK(has(s.enter(":keep 1s"), "! nothing was played in the last 1.0 s"));
  CHECK(has(s.enter(":keep 11m"), "! `11m` is out of range"));
  CHECK(has(s.enter(":keep song"), "! `song` is not a length"));
  CHECK(has(s.enter(":takes"), "take 3: 10 notes in 1 min 23 s"));
  // A key that is down is no pause, unless its input was lost.
  s.play(end - 5s, {0x90, 30, 64}, "pads");
  s.note(end - 1s, 0ms, 400ms, 31);
  CHECK(has(s.enter(":keep"), "take 4: 10 notes"));
  // What is ten minutes older than the newest is forgotten.
  s.note(end + 10min, 0ms, 400ms, 90);
  CHECK(has(s.enter(":keep all"), "take 5: "));
  CHECK(keys_on(s.take(5).music).back() == 90);
}

TEST_CASE("a burst, clusters and other messages arrive complete; clock and sensing are left out") {
  recording_session s;
  s.enter(":record");
  auto start = now();
  s.play(start, {0xF8});
  s.play(start, {0xFE});
  for (int i = 0; i < 1'000; ++i)
    s.play(start + std::chrono::microseconds{i}, {0xB0, 1, static_cast<std::uint8_t>(i % 128)});
  for (std::uint8_t key = 21; key <= 108; ++key)
    s.play(start + 1s, {0x90, key, 64});
  s.play(start + 2s, {0xF0, 0x7D, 1, 2, 0xF7});
  s.enter(":stop");
  auto music = s.take(1).music;
  CHECK(music.events.size() == 1'000 + 88 + 1);
  CHECK(music.events[999].bytes[2] == 999 % 128);
  CHECK(music.events.back().bytes == std::vector<std::uint8_t>{0xF0, 0x7D, 1, 2, 0xF7});
}

TEST_CASE("messages of two inputs are in order of time, whichever came first") {
  recording_session s;
  s.devices->plug_in_input("pads");
  s.enter(":record");
  auto start = now();
  s.play(start + 3ms, {0x90, 62, 64}, "pads");
  s.play(start + 1ms, {0x90, 60, 64});
  s.play(start + 2ms, {0x80, 60, 64});
  s.enter(":stop");
  CHECK(keys_on(s.take(1).music) == std::vector<int>{60, 62});
}

TEST_CASE("an input that is lost while a take is recorded is opened again when it is back") {
  recording_session s;
  s.enter(":record");
  auto start = now();
  s.play(start, {0x90, 60, 64});
  s.devices->unplug_input("keyboard");
  s.wait_for_notices(1);
  CHECK(s.notices[0] == "Input keyboard was lost; what was recorded so far is kept");
  s.devices->plug_in_input("keyboard");
  s.wait_for_notices(2);
  CHECK(s.notices[1] == "Input keyboard is back");
  s.note(now(), 0ms, 400ms, 67);
  s.enter(":stop");
  CHECK(keys_on(s.take(1).music) == std::vector<int>{60, 67});
}

TEST_CASE("a take without notes is kept, but not transcribed") {
  recording_session s;
  s.enter(":record");
  auto said = s.enter(":stop");
  CHECK(has(said, "take 1: 0 notes in "));
  CHECK(has(said, "not transcribed: there are no notes to transcribe"));
  CHECK(s.take(1).is_complete);
}

TEST_CASE("what cannot be recorded is said, with what to do") {
  SECTION("no inputs") {
    recording_session s{{}, false};
    CHECK(has(s.enter(":record"), "! there is no MIDI input; no MIDI server\nConnect a keyboard"));
    CHECK(has(s.enter(":takes"), "no takes"));
    CHECK(has(s.enter(":quantize"), "! this session has no takes"));
    CHECK(has(s.enter(":midi inputs"), "no MIDI input"));
  }
  SECTION("nothing is open yet") {
    recording_session s;
    CHECK(has(s.enter(":keep"), "! nothing to keep yet"));
    s.note(now(), 0ms, 400ms, 60);
    CHECK(has(s.enter(":keep"), "take 1: 1 note in"));
  }
  SECTION("twice") {
    recording_session s;
    s.enter(":record");
    CHECK(has(s.enter(":record"), "! take 1 is being recorded"));
    CHECK(has(s.enter(":takes"), "being recorded"));
    s.enter(":stop");
    CHECK(s.enter(":stop") == "nothing is playing");
  }
  SECTION("an input that is not there") {
    recording_session s{{{"midi-input", "organ"}}};
    CHECK(has(s.enter(":record"), "! unknown device `organ`"));
    CHECK(has(s.enter(":midi input organ"), "! unknown device `organ`"));
  }
  SECTION("switched off") {
    recording_session s{{{"midi-input", "off"}}};
    CHECK(has(s.enter(":record"), "! MIDI inputs are off"));
    CHECK(has(s.enter(":keep"), "! MIDI inputs are off"));
    CHECK(has(s.enter(":midi input"), "midi-input = off; listening to no input"));
  }
  SECTION("nowhere to keep it") {
    playing_session s;
    s.devices->plug_in_input("keyboard");
    CHECK(has(s.enter(":record"), "! this session is not saved, so it cannot keep takes"));
  }
}

TEST_CASE("a take is ended only in its session, and by the end of that session") {
  recording_session s;
  s.enter("(def x 1)");
  s.enter(":record");
  s.play(now(), {0x90, 60, 64});
  s.enter(":session new other");
  s.window.change_to("other");
  s.wait([](front_end_event& e) { return std::holds_alternative<front_end_events::opened>(e); });
  CHECK(has(s.enter(":stop"), "! take 1 is being recorded in session test\nEnter `:stop` there."));
  CHECK(has(s.enter(":record"), "! take 1 is being recorded in session test"));
  CHECK(has(s.enter(":session archive test"), "moved to the archive"));
  s.wait_for_recording([](auto& r) { return !r.is_recording(); });
  s.wait_for_notices(1);
  CHECK(has(s.notices.back(), "take 1: 1 note in "));
  CHECK(has(s.notices.back(), "; its session was closed"));
  CHECK(has(s.enter(":record"), "recording take 1"));
}

TEST_CASE("the choice of inputs changes which are open") {
  recording_session s{{{"midi-input", "pads"}}, false};
  // It is not there yet.
  CHECK(has(s.enter(":record"), "! unknown device `pads`"));
  s.devices->plug_in_input("pads");
  REQUIRE(s.becomes_true([&] { return s.devices->input("pads") != nullptr; }));
  CHECK(has(s.enter(":midi inputs"), "Input pads (memory), open"));
  s.devices->plug_in_input("keyboard");
  CHECK(s.enter(":midi input") == "midi-input = pads; listening to Input pads");
  CHECK(has(s.enter(":record"), "recording take 1 from Input pads"));
  CHECK(has(s.enter(":midi input all"), "! take 1 is being recorded"));
  s.enter(":stop");
  CHECK(s.devices->input("keyboard") == nullptr);
  s.devices->unplug_input("pads");
  s.wait_for_notices(1);
  CHECK(has(s.enter(":midi inputs"), "pads  not connected"));
  CHECK(has(s.enter(":record"), "! no MIDI input could be opened: Input pads is not connected"));
}

TEST_CASE("what is played is heard on the playback device, if the user wants it") {
  recording_session s{{{"midi-thru", "on"}}};
  CHECK(s.enter(":midi thru") == "midi-thru = on");
  s.enter(":record");
  REQUIRE(s.becomes_true([&] { return s.devices->port("piano") != nullptr; }));
  s.note(now(), 0ms, 1ms, 60);
  s.play(now(), {0xB0, 1, 64});
  s.play(now(), {0xF8});  // a clock is not music
  s.wait_for_key(60);
  s.wait_for_silence();
  // Nothing goes on sounding when the input is lost.
  s.play(now(), {0x90, 62, 80});
  s.wait_for_key(62);
  s.devices->unplug_input("keyboard");
  s.wait_for_silence();
  for (auto& m : s.devices->port("piano")->messages())
    CHECK(m.bytes[0] < 0xF0);
}

TEST_CASE("thru that cannot be heard is refused") {
  recording_session s;
  CHECK(s.enter(":midi thru") == "midi-thru = off");
  s.devices->unplug("piano");
  CHECK(has(s.enter(":midi thru on"), "! no synthesizer and no MIDI ports"));
  CHECK(s.enter(":midi thru") == "midi-thru = off");
  CHECK(has(s.enter(":midi thru loud"), "! "));
}

TEST_CASE("a take that is being recorded when the program ends is there afterwards") {
  temporary_folder files;
  {
    playing_session s{files.path()};
    s.devices->plug_in_input("keyboard");
    s.enter(":record");
    auto start = now();
    s.devices->input("keyboard")->play(start, {0x90, 60, 64});
    s.devices->input("keyboard")->play(start + 1ms, {0x80, 60, 64});
    s.wait_for_recording([](auto& r) { return r.notes == 1; });
  }
  auto read = io::load_take(files.path() / "sessions/test", 1);
  REQUIRE(read);
  CHECK(read->is_complete);
  CHECK(keys_on(read->music) == std::vector<int>{60});
}

}  // namespace fermata::actors::recorder_test
