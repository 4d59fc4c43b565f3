#include "midi/transport/transport_engine.hpp"

#include "tests/midi/performance/heard.hpp"
#include "tests/midi/transport/receiver.hpp"

#include <catch2/catch.hpp>

#include <random>

namespace fermata::midi::transport_engine_test {

using namespace testing;
using namespace std::chrono_literals;

namespace {

/// At 120 quarter notes a minute, which is what a score without a tempo has: 500 ms for each.
playback_plan_ptr plan_of(const score& s) {
  auto plan = playback_plan_of(s, exact());
  if (!plan) throw std::logic_error(plan.error().first().message);
  return *plan;
}

/// An engine with a receiver; its time is in milliseconds from 0.
struct player {
  receiver out;
  transport_engine engine{out};
  std::chrono::nanoseconds now{};

  steady_time at() const { return out.zero + now; }
  void play(playback_plan_ptr plan, playback_options o = {}) {
    transport_command::play command{1, std::move(plan), std::move(o)};
    engine.play(command, at());
  }
  void exchange(playback_plan_ptr plan) {
    transport_command::exchange command;
    command.id = 1;
    command.plan = std::move(plan);
    engine.exchange(command);
  }
  /// As a thread does it: to each time at which something is due, and to the end.
  void run_to(std::chrono::nanoseconds time) {
    for (auto due = engine.next_due(); due && *due <= out.zero + time; due = engine.next_due()) {
      now = std::max(now, *due - out.zero);
      engine.run(at(), at());
    }
    now = std::max(now, time);
    engine.run(at(), at());
  }
};

score_ptr four_notes() { return one_part({"c4:q d4:q e4:q f4:q"}); }

}  // namespace

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
  // 700 ms of the first half note are left; a note that is held is not begun again.
  CHECK(p.out.notes() == "0:60 5700:62");
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

TEST_CASE("the count-in clicks at the tempo of the first beats, the metronome at each") {
  player p;
  playback_options o;
  o.count_in = 4;
  o.tempo = 2;
  p.play(plan_of(*four_notes()), o);
  p.run_to(500ms);
  CHECK(p.engine.position(p.at()).state == transport_position::state_t::counting_in);
  p.run_to(10s);
  CHECK(p.out.notes() == "0:76 250:77 500:77 750:77 1000:60 1250:62 1500:64 1750:65");
  player m;
  o.count_in = 0;
  o.tempo = 1;
  o.metronome = true;
  m.play(plan_of(*one_part({"r:w"})), o);
  m.run_to(10s);
  CHECK(m.out.notes() == "0:76 500:77 1000:77 1500:77");
  CHECK(m.out.heard() == 0);
}

TEST_CASE("beats are those that are conducted") {
  auto beats = [](const char* notes, int count, int type) {
    auto plan = plan_of(*one_part({notes}, count, type));
    std::string text;
    for (auto& beat : plan->beats)
      text += (text.empty() ? "" : " ") + std::to_string(beat.time / 1ms);
    return text;
  };
  CHECK(beats("c4:h.", 6, 8) == "0 750");
  CHECK(beats("c4:h.", 3, 4) == "0 500 1000");
  CHECK(beats("c4:q.", 3, 8) == "0 250 500");
  CHECK(beats("c4:w", 2, 2) == "0 1000");
}

TEST_CASE("MIDI clock has 24 pulses for a quarter note, and the first is the beginning") {
  player p;
  playback_options o;
  o.clock = true;
  p.play(plan_of(*one_part({"c4:q r:q r:h"})), o);
  p.run_to(499ms);
  std::vector<std::uint8_t> kinds;
  for (auto& m : p.out.all)
    if (m.bytes[0] >= 0xF0) kinds.push_back(m.bytes[0]);
  REQUIRE(kinds.size() == 25);
  CHECK(kinds[0] == 0xFA);
  CHECK(std::count(kinds.begin() + 1, kinds.end(), 0xF8) == 24);
  auto before = p.out.all.size();
  p.engine.pause(p.at());
  auto stopped = p.out.bytes(before);
  CHECK(stopped.substr(stopped.size() - 2) == "fc");
  before = p.out.all.size();
  p.engine.seek(1s, p.at());
  p.engine.resume(p.at());
  // Two quarter notes are eight sixteenths.
  auto resumed = p.out.bytes(before);
  CHECK(resumed.substr(resumed.size() - 12) == "f2 08 00, fb");
}

TEST_CASE("an edited score goes on at the next bar, at the same measure and time through") {
  auto original =
      plan_of(*make_score({make_part({bar("c4:w"), bar("d4:w", "2"), bar("e4:w", "3")})}));
  auto edited =
      plan_of(*make_score({make_part({bar("c4:w"), bar("g4:h a4:h", "2"), bar("b4:w", "3")})}));
  player p;
  p.play(original);
  p.run_to(1s);
  p.exchange(edited);
  CHECK(p.engine.position(p.at()).exchanges == 0);
  p.run_to(20s);
  CHECK(p.out.notes(true) == "0:60 2000:-60 2000:67 3000:-67 3000:69 4000:-69 4000:71 6000:-71");
  CHECK(p.engine.position(p.at()).exchanges == 1);
  CHECK(p.out.in_order);
  player shorter;
  shorter.play(original);
  shorter.run_to(1s);
  shorter.exchange(plan_of(*make_score({make_part({bar("c4:w")})})));
  shorter.run_to(20s);
  CHECK(shorter.out.notes() == "0:60");
  CHECK(shorter.engine.take_ended());
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

TEST_CASE("a new port gets the state of the channels, and no notes of the old one") {
  player p;
  p.play(plan_of(*one_part({"c4:h d4:h"})));
  p.run_to(500ms);
  auto before = p.out.all.size();
  p.engine.enter_port(p.at());
  CHECK(p.engine.sounding() == 0);
  auto restored = p.out.bytes(before);
  CHECK(restored.find("c0 ") != restored.npos);
  CHECK(restored.find("90 ") == restored.npos);
  p.run_to(10s);
  CHECK(p.out.notes() == "0:60 1000:62");
}

TEST_CASE("whatever is done in whatever order, nothing sounds after it is stopped") {
  auto piece = make_score(
      {make_part({bar("<c4_e4>:h d4:q e4:q"), bar("c5:w~", "2"), bar("c5:q r:h.", "3")}),
       make_part({bar("c3:w"), bar("d3:e e3:e f3:q g3:h", "2"), bar("c3:w", "3")}, "P2")});
  auto plan = plan_of(*piece);
  auto edited = plan_of(*make_score({make_part({bar("g4:w"), bar("a4:h b4:h", "2")})}));
  for (unsigned seed = 1; seed <= 2'000; ++seed) {
    std::mt19937 random{seed};
    auto pick = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
    player p;
    playback_options o;
    o.loop = pick(3) == 0;
    o.metronome = pick(3) == 0;
    o.count_in = pick(4) == 0 ? 2 : 0;
    o.clock = pick(4) == 0;
    p.play(plan, o);
    for (int step = 0; step < 12; ++step) {
      switch (pick(10)) {
        case 0: p.engine.pause(p.at()); break;
        case 1: p.engine.resume(p.at()); break;
        case 2: p.engine.seek(std::chrono::milliseconds{pick(7'000)}, p.at()); break;
        case 3: p.engine.set_tempo(0.25 + pick(8) * 0.25, p.at()); break;
        case 4: p.exchange(pick(2) == 0 ? plan : edited); break;
        case 5: {
          std::vector<bool> silent{pick(2) == 0, pick(2) == 0};
          p.engine.set_silent(silent, p.at());
          break;
        }
        case 6: p.engine.set_metronome(pick(2) == 0, p.at()); break;
        case 7: {
          std::uint8_t note[] = {0x93, static_cast<std::uint8_t>(40 + pick(20)), 64};
          p.engine.send(0, note, p.at());
          break;
        }
        case 8: p.play(plan, o); break;
        default: break;
      }
      p.run_to(p.now + std::chrono::milliseconds{pick(900)});
      // Ahead of time, as for a port with look-ahead.
      if (pick(2) == 0) p.engine.run(p.at(), p.at() + 10ms);
    }
    if (pick(2) == 0)
      p.engine.stop(p.at());
    else
      p.engine.panic(1, p.at());
    INFO("seed " << seed);
    REQUIRE(p.out.heard() == 0);
    REQUIRE(p.engine.sounding() == 0);
    REQUIRE(p.out.in_order);
  }
}

}  // namespace fermata::midi::transport_engine_test
