#include "midi/transport/transport_engine.hpp"

#include "tests/midi/transport/player.hpp"

#include <catch2/catch.hpp>

namespace fermata::midi::transport_engine_test {

using namespace testing;
using namespace std::chrono_literals;

TEST_CASE("notes are played when they are due, and the end is reported") {
  player p;
  p.play(plan_of(*four_notes()));
  p.run_to(10s);
  CHECK(p.out.notes(true) == "0:60 500:-60 500:62 1000:-62 1000:64 1500:-64 1500:65 2000:-65");
  CHECK(p.engine.take_ended() == std::uint64_t{1});
  CHECK_FALSE(p.engine.take_ended());
  CHECK(p.engine.position(p.at()).state == transport_position::state_t::stopped);
  CHECK(p.out.in_order);
}

TEST_CASE("a tempo factor changes the time between notes from there on") {
  player p;
  p.play(plan_of(*four_notes()));
  p.run_to(750ms);
  p.engine.set_tempo(0.5, p.at());
  p.run_to(10s);
  // 250 ms of the second quarter are left, which now take 500.
  CHECK(p.out.notes() == "0:60 500:62 1250:64 2250:65");
  CHECK(p.engine.take_ended());
}

TEST_CASE("a pause ends what sounds, and playback goes on from there") {
  player p;
  p.play(plan_of(*one_part({"c4:h d4:h"})));
  p.run_to(300ms);
  CHECK(p.out.heard() == 1);
  p.engine.pause(p.at());
  CHECK(p.out.heard() == 0);
  CHECK(p.engine.sounding() == 0);
  p.run_to(5s);
  CHECK(p.out.notes() == "0:60");
  p.engine.resume(p.at());
  p.run_to(20s);
  // 700 ms of the first half note are left, which is begun again.
  CHECK(p.out.notes() == "0:60 5000:60 5700:62");
}

TEST_CASE("seeking restores the state of the channels before it plays") {
  auto plan = std::make_shared<playback_plan>();
  auto event = [&](std::chrono::nanoseconds time, std::vector<std::uint8_t> bytes) {
    playback_plan::event e;
    e.time = time;
    e.size = static_cast<std::uint8_t>(bytes.size());
    std::copy(bytes.begin(), bytes.end(), e.bytes);
    plan->events.push_back(e);
  };
  event(0ms, {0xB0, 0, 1});    // bank
  event(0ms, {0xB0, 101, 0});  // pitch bend range of 12 semitones
  event(0ms, {0xB0, 100, 0});
  event(0ms, {0xB0, 6, 12});
  event(0ms, {0xB0, 101, 127});
  event(0ms, {0xB0, 100, 127});
  event(0ms, {0xC0, 40});
  event(0ms, {0xB0, 7, 90});
  event(100ms, {0x90, 60, 64});
  event(200ms, {0x80, 60, 64});
  event(300ms, {0xB0, 7, 100});
  event(300ms, {0xE0, 0, 80});
  event(300ms, {0xD0, 33});
  event(1000ms, {0x90, 62, 64});
  event(1500ms, {0x80, 62, 64});
  plan->end = 2s;
  plan->bars.push_back({0ms, 0, 0, 1, "1"});
  player p;
  p.play(plan);
  p.run_to(50ms);
  auto before = p.out.all.size();
  p.engine.seek(900ms, p.at());
  // The silence: pedals, sostenuto, all notes off. Then bank, program, parameter, volume, pressure
  // and bend.
  CHECK(p.out.bytes(before) ==
        "b0 40 00, b0 42 00, b0 7b 00, b0 00 01, c0 28, b0 65 00, b0 64 00, b0 06 0c, b0 65 7f, "
        "b0 64 7f, b0 07 64, d0 21, e0 00 50");
  p.run_to(5s);
  CHECK(p.out.notes() == "150:62");
}

TEST_CASE("a range is played without the notes that begin at its end, again and again in a loop") {
  auto plan = plan_of(*make_score({make_part({bar("c4:w"), bar("d4:w", "2"), bar("e4:w", "3")})}));
  auto range = range_of_measures(*plan, "2", "2");
  REQUIRE(range);
  CHECK(range->from == 2s);
  CHECK(range->to == 4s);
  player p;
  playback_options o;
  o.from = range->from;
  o.to = range->to;
  p.play(plan, o);
  p.run_to(10s);
  CHECK(p.out.notes(true) == "0:62 2000:-62");
  CHECK(p.engine.take_ended());
  player again;
  o.loop = true;
  again.play(plan, o);
  again.run_to(5s);
  CHECK(again.out.notes() == "0:62 2000:62 4000:62");
  CHECK_FALSE(again.engine.take_ended());
  CHECK_FALSE(range_of_measures(*plan, "2", "9"));
  CHECK_FALSE(range_of_measures(*plan, "3", "2"));
}

TEST_CASE("silent parts are not heard, and end when they become silent") {
  auto s = make_score({make_part({bar("c4:w")}), make_part({bar("e4:q f4:q g4:h")}, "P2")});
  player p;
  playback_options o;
  o.silent = {true};
  p.play(plan_of(*s), o);
  p.run_to(250ms);
  CHECK(p.out.notes() == "0:64");
  std::vector<bool> second{false, true};
  p.engine.set_silent(second, p.at());
  CHECK(p.out.heard() == 0);
  p.run_to(5s);
  CHECK(p.out.notes() == "0:64");
}

TEST_CASE("after a long sleep of the machine playback goes on where it was") {
  player p;
  p.play(plan_of(*four_notes()));
  p.run_to(600ms);
  p.now += 1h;
  p.engine.run(p.at(), p.at());
  p.run_to(1h + 10s);
  CHECK(p.out.notes() == "0:60 500:62 3600600:64 3601100:65");
}

TEST_CASE("what is sent ahead of its time ends before the silence") {
  player p;
  p.play(plan_of(*four_notes()));
  p.engine.run(p.at(), p.at() + 500ms);
  p.engine.stop(p.at());
  CHECK(p.out.in_order);
  CHECK(p.out.heard() == 0);
  CHECK(p.out.notes(true) == "0:60 500:-60 500:62 500:-62");
}

TEST_CASE("a new port gets the state of the channels, then the notes that are held") {
  player p;
  p.play(plan_of(*one_part({"c4:h d4:h"})));
  p.run_to(500ms);
  auto before = p.out.all.size();
  p.engine.enter_port(p.at());
  CHECK(p.engine.sounding() == 1);
  auto restored = p.out.bytes(before);
  REQUIRE(restored.find("c0 ") != restored.npos);
  CHECK(restored.find("90 ") > restored.find("c0 "));
  p.run_to(10s);
  CHECK(p.out.notes() == "0:60 500:60 1000:62");
}

TEST_CASE("a new port gets the state of the channels during the count-in too") {
  auto plan = plan_of(*one_part({"c4:w", "d4:w"}));
  player p;
  playback_options o;
  o.from = 2s;
  o.count_in = 4;
  p.play(plan, o);
  p.run_to(700ms);
  auto before = p.out.all.size();
  p.engine.leave_port(p.at());
  p.engine.enter_port(p.at());
  CHECK(p.out.bytes(before).find("c0 ") != std::string::npos);
  p.run_to(10s);
  CHECK(p.out.notes() == "0:76 500:77 1000:77 1500:77 2000:62");
}

TEST_CASE("the tempos of the score and the factor count together") {
  auto m = bar("c4:q d4:q e4:q f4:q");
  put(m, 2, sound_saying("tempo", "60"));
  player p;
  playback_options o;
  o.tempo = 2;
  p.play(plan_of(*one_measure(m)), o);
  p.run_to(10s);
  // Two quarter notes of 500 ms and two of 1000 ms, twice as fast.
  CHECK(p.out.notes(true) == "0:60 250:-60 250:62 500:-62 500:64 1000:-64 1000:65 1500:-65");
}

TEST_CASE("a part that is silenced ends under its pedal, and has the pedal again afterwards") {
  auto m = bar("c4:q d4:q e4:q f4:q");
  put(m, 0, pedal_mark("start"));
  put(m, 4, pedal_mark("stop"));
  player p;
  p.play(plan_of(*one_measure(m)));
  p.run_to(700ms);
  CHECK(p.out.heard() == 2);
  std::vector<bool> all{true};
  p.engine.set_silent(all, p.at());
  CHECK(p.out.heard() == 0);
  p.run_to(800ms);
  std::vector<bool> none;
  p.engine.set_silent(none, p.at());
  p.run_to(1'900ms);
  CHECK(p.out.notes() == "0:60 500:62 1000:64 1500:65");
  CHECK(p.out.heard() == 2);
  p.run_to(5s);
  CHECK(p.out.heard() == 0);
}

TEST_CASE("a pause under the pedal is silent") {
  auto m = bar("c4:q d4:q e4:q f4:q");
  put(m, 0, pedal_mark("start"));
  player p;
  p.play(plan_of(*one_measure(m)));
  p.run_to(1'200ms);
  CHECK(p.out.heard() == 3);
  p.engine.pause(p.at());
  CHECK(p.out.heard() == 0);
  p.engine.resume(p.at());
  p.run_to(1'800ms);
  CHECK(p.out.notes() == "0:60 500:62 1000:64 1200:64 1500:65");
}

TEST_CASE("a note that is held where playback begins is begun there") {
  auto plan = plan_of(*one_part({"c4:w", "d4:w"}));
  auto played_from = [&](std::chrono::nanoseconds from, playback_options o = {}) {
    player p;
    o.from = from;
    p.play(plan, o);
    p.run_to(2'400ms);
    return p.out.notes(true);
  };
  CHECK(played_from(1s) == "0:60 1000:-60 1000:62");
  // What ends at once would only click.
  CHECK(played_from(1'960ms) == "40:62 2040:-62");
  playback_options range;
  range.to = 2s;
  range.loop = true;
  CHECK(played_from(1s, range) == "0:60 1000:-60 1000:60 2000:-60 2000:60");
  playback_options silent;
  silent.silent = {true};
  CHECK(played_from(1s, silent).empty());
  playback_options counted;
  counted.count_in = 4;
  player p;
  counted.from = 1s;
  p.play(plan, counted);
  p.run_to(2'400ms);
  CHECK(p.out.notes() == "0:77 500:77 1000:76 1500:77 2000:60");
  p.engine.seek(3s, p.at());
  p.run_to(10s);
  CHECK(p.out.notes() == "0:77 500:77 1000:76 1500:77 2000:60 2400:62");
  CHECK(p.out.heard() == 0);
}

TEST_CASE("panic ends everything, also what nobody knows of, and playback goes on") {
  player p;
  p.play(plan_of(*four_notes()));
  p.run_to(600ms);
  p.out.send(0, std::array<std::uint8_t, 3>{0x95, 50, 64}, p.at());
  p.engine.panic(1, p.at());
  CHECK(p.out.heard() == 0);
  CHECK(p.engine.sounding() == 0);
  p.run_to(5s);
  CHECK(p.out.notes() == "0:60 500:62 600:50 1000:64 1500:65");
}

TEST_CASE("only whole messages are sent, and a note that is sent is ended") {
  player p;
  auto send = [&](std::vector<std::uint8_t> bytes) { p.engine.send(0, bytes, p.at()); };
  send({});
  send({0x90, 60});
  send({0x90, 60, 200});
  send({60, 64});
  send({0x90, 60, 64, 0x80, 60, 64});
  send({0xF0, 1, 2});
  CHECK(p.out.all.empty());
  send({0x92, 60, 64});
  send({0x92, 60, 64});
  send({0xF0, 0x7D, 1, 0xF7});
  CHECK(p.out.bytes() == "92 3c 40, 92 3c 40, f0 7d 01 f7");
  CHECK(p.engine.sounding() == 2);
  p.engine.stop(p.at());
  CHECK(p.out.heard() == 0);
  CHECK(p.out.bytes(3).substr(0, 18) == "82 3c 40, 82 3c 40");
}

TEST_CASE("ten thousand messages at one time are sent in pieces, and none is lost") {
  auto plan = std::make_shared<playback_plan>();
  constexpr std::size_t count = 10'000;
  for (std::size_t i = 0; i < count; ++i) {
    playback_plan::event e;
    e.bytes[0] = i < count / 2 ? 0x90 : 0x80;
    e.bytes[1] = static_cast<std::uint8_t>(i % (count / 2) % 128);
    e.bytes[2] = 64;
    plan->events.push_back(e);
  }
  plan->end = 1s;
  player p;
  p.play(plan);
  int pieces = 1;
  while (!p.engine.run(p.at(), p.at()))
    ++pieces;
  CHECK(pieces > 1);
  CHECK(p.out.all.size() == count);
  CHECK(p.out.heard() == 0);
  CHECK_FALSE(p.engine.take_ended());
}

TEST_CASE("a loop of nothing ends") {
  player p;
  playback_options o;
  o.loop = true;
  o.from = 500ms;
  o.to = 500ms;
  p.play(plan_of(*four_notes()), o);
  p.run_to(1s);
  CHECK(p.engine.take_ended());
  player empty;
  playback_options loop;
  loop.loop = true;
  empty.play(std::make_shared<playback_plan>(), loop);
  empty.run_to(1s);
  CHECK(empty.engine.take_ended());
  player without;
  without.play(nullptr);
  without.run_to(1s);
  CHECK(without.engine.position(without.at()).state == transport_position::state_t::stopped);
}

TEST_CASE("the position is the bar and beat that is heard") {
  player p;
  p.play(plan_of(*one_part({"c4:w", "d4:w"})));
  std::string beats;
  for (auto time = 0ms; time < 4s; time += 100ms) {
    p.run_to(time);
    if (!p.engine.take_moved()) continue;
    auto where = p.engine.position(p.at());
    beats += std::to_string(where.bar) + ":" + std::to_string(where.beat) + " ";
  }
  CHECK(beats == "0:1 0:2 0:3 0:4 1:1 1:2 1:3 1:4 ");
  p.engine.seek(2'500ms, p.at());
  auto where = p.engine.position(p.at());
  CHECK(where.bar == 1);
  CHECK(where.beat == 2);
  CHECK(where.time == 2'500ms);
}

}  // namespace fermata::midi::transport_engine_test
