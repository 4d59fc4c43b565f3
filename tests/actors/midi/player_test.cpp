#include "actors/midi/plan_maker.hpp"
#include "tests/actors/midi/player_fixture.hpp"

#include <catch2/catch.hpp>

namespace fermata::actors::player_test {

namespace {

using testing::playing_session;
using state_t = playback_status::state_t;

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// Two measures of four quarter notes, and a long one: C4 to F4, G4 to C5, C4.
constexpr auto three_measures =
    "(part :piano (measure (note c4 :q) (note d4 :q) (note e4 :q) (note f4 :q)) "
    "(measure (note g4 :q) (note a4 :q) (note b4 :q) (note c5 :q)) (measure (note c4 :w)))";

}  // namespace

TEST_CASE("the score is played to its end, and every note ends") {
  playing_session p;
  p.enter(three_measures);
  CHECK(p.enter(":play --tempo 1000%") == "playing the score on Device piano");
  p.wait_for_notes(9);
  p.wait_for_silence();
  p.wait_for_state(state_t::stopped);
  // MIDI key numbers: 60 is C4.
  CHECK(p.keys_on() == std::vector<int>{60, 62, 64, 65, 67, 69, 71, 72, 60});
}

TEST_CASE("measures, parts and expressions are played") {
  playing_session p;
  p.enter(three_measures);
  p.enter(":play 2 --tempo 1000%");
  p.wait_for_notes(4);
  p.wait_for_silence();
  CHECK(p.keys_on() == std::vector<int>{67, 69, 71, 72});
  CHECK(p.enter(":play (chord (c4 e4 g4) :w) --tempo 1000%") ==
        "playing (chord (c4 e4 g4) :w) on Device piano");
  p.wait_for_notes(7);
  CHECK(contains(p.enter(":play (+ 1 2)"), "! "));
  CHECK(contains(p.enter(":play (rest :q)"), "! there is nothing to play in (rest :q)"));
  CHECK(contains(p.enter(":play (list c4 e4) --tempo 1000%"), "playing"));
  CHECK(contains(p.enter(":play (note x9 :q)"), "! "));
}

TEST_CASE("what an expression plays is heard when it has been evaluated") {
  playing_session p;
  p.enter("(play (seq (note c4 :16) (note d4 :16)))");
  p.wait_for_notes(2);
  p.wait_for_silence();
  CHECK(p.keys_on() == std::vector<int>{60, 62});
  p.enter("(map (fn [n] (play n)) (list (note e4 :16) (note f4 :16)))");
  p.wait_for_notes(4);
  CHECK(p.keys_on() == std::vector<int>{60, 62, 64, 65});
  p.enter(":time (play (note g4 :16))");
  p.wait_for_notes(5);
  CHECK(p.keys_on().back() == 67);
  // The score has not changed.
  CHECK(contains(p.enter(":play"), "! there is nothing to play"));
}

TEST_CASE("playback is paused, continued, moved and stopped") {
  playing_session p;
  p.enter(three_measures);
  CHECK(contains(p.enter(":pause"), "! nothing is playing"));
  CHECK(p.enter(":stop") == "nothing is playing");
  p.enter(":play 3 --loop");
  p.wait_for_notes(1);
  CHECK(contains(p.enter(":pause"), "paused at measure 3"));
  p.wait_for_state(state_t::paused);
  CHECK(p.sounding() == 0);
  p.window.toggle_pause();
  p.wait_for_state(state_t::playing);
  CHECK(p.enter(":tempo") == "tempo 100%");
  CHECK(p.enter(":tempo 200%") == "tempo 200%");
  CHECK(p.enter(":metronome on") == "metronome is on");
  CHECK(
      contains(p.enter(":seek 1"), "! measure 1 is outside the passage being played (measure 3)"));
  CHECK(p.enter(":seek 3") == "continuing at measure 3");
  p.window.stop_playback();
  p.wait_for_state(state_t::stopped);
  CHECK(contains(p.enter(":tempo 50%"), "! nothing is playing"));
}

TEST_CASE("an edit is heard from the next measure on") {
  playing_session p;
  p.enter("(part :piano (measure (note c4 :w)) (measure (note d4 :w)))");
  p.enter(":play --loop --tempo 500%");
  p.wait_for_notes(1);
  p.enter("(replace (measures 2) (measure (note a4 :w)))");
  p.wait_for_key(69);
  // Measure 2 as it was, or as it is: after each measure 1, nothing is heard twice or left out.
  auto keys = p.keys_on();
  auto is_first = true;
  for (auto key : keys) {
    CHECK((key == 60) == is_first);
    is_first = !is_first;
  }
  p.window.stop_playback();
  p.wait_for_state(state_t::stopped);
}

TEST_CASE("measures that are inserted before those that are played do not move them") {
  playing_session p;
  p.enter("(part :piano (measure (note c4 :w)) (measure (note d4 :w)) (measure (note e4 :w)))");
  p.enter(":play 2 --loop --tempo 500%");
  p.wait_for_notes(1);
  p.enter("(insert-measure 1 (measure (note a4 :w)))");
  p.enter("(replace (measures 3) (measure (note f4 :w)))");
  p.wait_for_key(65);
  for (auto key : p.keys_on())
    CHECK((key == 62 || key == 65));
  p.window.stop_playback();
  p.wait_for_state(state_t::stopped);
}

TEST_CASE("parts that were left out stay so after an edit") {
  playing_session p;
  p.enter("(part :flute :id \"f\" (measure (note c5 :w)))");
  p.enter("(part :cello :id \"c\" (measure (note c3 :w)))");
  p.enter(":play c --loop --tempo 500%");
  p.wait_for_notes(1);
  p.enter("(part :violin (measure (note e6 :w)))");
  p.enter("(replace (select :part \"c\" :measures 1) (measure (note d3 :w)))");
  p.wait_for_key(50);
  for (auto key : p.keys_on())
    CHECK((key == 48 || key == 50));
}

TEST_CASE("playback ends when what is playing is deleted") {
  playing_session p;
  p.enter(three_measures);
  p.enter(":play 2-3 --loop");
  p.wait_for_notes(1);
  p.enter("(delete (measures 2 3))");
  p.wait_for_state(state_t::stopped);
  p.wait_for_notices(1);
  CHECK(contains(p.notices.back(), "playback ended after an edit"));
  p.wait_for_silence();
}

TEST_CASE("a border that is deleted makes the passage shorter") {
  playing_session p;
  p.enter("(part :piano (measure (note c4 :w)) (measure (note d4 :w)) (measure (note e4 :w)) "
          "(measure (note f4 :w)))");
  p.enter(":play 2-3 --loop --tempo 500%");
  p.wait_for_notes(1);
  p.enter("(delete 3)");
  p.enter("(replace (measures 2) (measure (note a4 :w)))");
  p.wait_for_key(69);
  for (auto key : p.keys_on())
    CHECK((key == 62 || key == 64 || key == 69));
}

TEST_CASE("what cannot be played leaves what is playing where it is") {
  playing_session p;
  p.devices->plug_in("organ");
  p.enter(three_measures);
  p.enter(":midi connect piano");
  p.enter(":play 3 --loop");
  p.wait_for_notes(1);
  p.enter(":set midi-device organ");
  CHECK(contains(p.enter(":play (rest :q)"), "! there is nothing to play"));
  CHECK_FALSE(p.devices->port("organ"));
  p.window.toggle_pause();
  p.wait_for_state(state_t::paused);
  CHECK(p.status.device == "Device piano");
}

TEST_CASE("a device in use is not opened again") {
  playing_session p;
  p.enter(three_measures);
  p.enter(":midi connect piano");
  p.enter(":play --tempo 1000%");
  p.enter(":set playback-gain 60");
  p.enter(":midi connect \"Device piano\"");
  p.enter(":play --tempo 1000%");
  CHECK(p.devices->opened() == 1);
}

TEST_CASE("parts beyond the channels of the device are named and silent") {
  playing_session p;
  // General MIDI instruments that do not share a channel, one more than there are channels but the
  // drums'.
  constexpr const char* instruments[] = {
      "piano",    "flute",  "oboe",  "clarinet", "bassoon", "horn",   "trumpet", "tuba",
      "trombone", "violin", "viola", "cello",    "harp",    "guitar", "celesta", "harpsichord"};
  std::string score = "(score";
  for (auto name : instruments)
    score += " (part :" + std::string{name} + " (measure (note c4 :w)))";
  p.enter(score + ")");
  auto said = p.enter(":play --loop");
  CHECK(contains(said, "note: Device piano has only 16 channels; parts not heard: Harpsichord"));
  p.wait_for_notes(15);
  p.enter(":stop");
  CHECK(p.keys_on().size() == 15);
}

TEST_CASE("measures are those of what is playing") {
  playing_session p;
  p.enter(":play (seq (note c5 :w) (note d5 :w) (note e5 :w)) --loop");
  p.wait_for_notes(1);
  CHECK(p.enter(":seek 2") == "continuing at measure 2");
  p.wait_for_key(74);
  CHECK(contains(p.enter(":seek 7"), "! measure 7 does not exist"));
  CHECK(contains(p.enter(":seek 1-2"), "! `1-2` is more than one measure"));
}

TEST_CASE("a policy that forbids playing ends what a client plays") {
  playing_session p;
  p.enter(three_measures);
  caf::scoped_actor self{p.sys, true};
  session_actor session;
  self->request(p.runtime.sessions(), testing::patience, atom::find_v, std::string{"test"})
      .receive([&](session_ref& r) { session = r.actor; }, [](caf::error&) {});
  self->request(session, testing::patience,
                requested_command{{"play", {}, {}, {{"loop", ""}}}, client})
      .receive([](turn&) {}, [](caf::error& e) { FAIL(detail_of(e).message); });
  p.wait_for_state(state_t::playing);
  p.enter(":ai off claude");
  p.wait_for_state(state_t::stopped);
}

TEST_CASE("an entry says why what it plays is not heard") {
  playing_session p;
  p.devices->unplug("piano");
  std::vector<std::string> remarks;
  p.window.submit({"(play (note c4 :q))", {"user", "terminal"}, nullptr});
  p.wait([&](front_end_event& e) {
    auto answered = std::get_if<front_end_events::answered>(&e);
    if (answered) remarks = std::get<eval_entry>(answered->what.entries.back()->kind).remarks;
    return answered != nullptr;
  });
  REQUIRE(remarks.size() == 1);
  CHECK(contains(remarks.front(), "not played: no synthesizer and no MIDI ports"));
}

TEST_CASE("a device that is lost is used again when it is back") {
  playing_session p;
  p.enter(three_measures);
  p.enter(":play 3 --loop");
  p.wait_for_notes(1);
  p.devices->unplug("piano");
  p.wait_for_notices(1);
  CHECK(p.notices.front() ==
        "Device piano was lost; playback continues without sound until it is back");
  p.devices->plug_in("piano");
  p.wait_for_notices(2);
  CHECK(p.notices.back() == "Device piano is back");
  p.wait_for_notes(1);
  CHECK(p.status.is_active());
  p.enter(":stop");
  p.wait_for_state(state_t::stopped);
  CHECK(p.sounding() == 0);
}

TEST_CASE("a session remembers its device") {
  playing_session p;
  p.devices->plug_in("organ");
  p.enter("(note c4 :w)");
  CHECK(p.enter(":midi connect pian") == "connected to Device piano");
  CHECK(contains(p.enter(":midi connect harp"), "! unknown device `harp`"));
  CHECK(contains(p.enter(":midi connect orgn"), "Did you mean `organ`?"));
  p.enter(":play --tempo 1000%");
  p.wait_for_notes(1, "piano");
  CHECK(contains(p.enter(":midi devices"), "this session plays on `piano`"));
  p.enter(":midi disconnect");
  CHECK_FALSE(contains(p.enter(":midi devices"), "this session plays on"));
}

TEST_CASE("without a device it is said why") {
  playing_session p;
  p.devices->unplug("piano");
  p.enter("(note c4 :w)");
  CHECK(p.enter(":play") == "! no synthesizer and no MIDI ports: no MIDI server\nStart one.");
  CHECK(contains(p.enter(":midi devices"), "no MIDI device and no synthesizer"));
}

TEST_CASE("a client plays in its own name, and not over the user") {
  playing_session p;
  p.enter("(part :piano (measure (note c4 :w)))");
  caf::scoped_actor self{p.sys, true};
  session_actor session;
  self->request(p.runtime.sessions(), testing::patience, atom::find_v, std::string{"test"})
      .receive([&](session_ref& r) { session = r.actor; }, [](caf::error&) {});
  REQUIRE(session);
  auto ask = [&](command_request command) {
    std::string output;
    self->request(session, testing::patience, requested_command{std::move(command), client})
        .receive(
            [&](turn& t) {
              auto& done = std::get<command_entry>(t.entries.back()->kind);
              output = (done.ok ? "" : "! ") + done.output;
            },
            [&](caf::error& e) { output = "error: " + detail_of(e).message; });
    return output;
  };
  CHECK(ask({"play", {}, {}, {{"loop", ""}}}) == "playing the score on Device piano");
  p.wait_for_state(state_t::playing);
  CHECK(p.status.started_by == client.author);
  CHECK(contains(ask({"stop"}), "stopped at measure 1"));
  p.enter(":play --loop");
  CHECK(contains(ask({"play"}), "! user is playing the score; clients cannot interrupt it"));
  CHECK(contains(ask({"stop"}), "! user is playing"));
  p.enter(":stop");
  p.enter(":ai off");
  CHECK(contains(ask({"play"}), "error: the policy for claude is"));
}

TEST_CASE("playback ends with the process, silently") {
  std::shared_ptr<testing::devices_in_memory> devices;
  std::shared_ptr<midi::recorder_port> port;
  {
    playing_session p;
    devices = p.devices;
    p.enter(three_measures);
    p.enter(":play 3 --loop");
    p.wait_for_notes(1);
    port = devices->port("piano");
  }
  auto messages = port->messages();
  REQUIRE_FALSE(messages.empty());
  auto ends = std::count_if(messages.begin(), messages.end(),
                            [](auto& m) { return (m.bytes[0] & 0xF0) == 0x80; });
  CHECK(ends >= 1);
}

TEST_CASE("a proposal is heard before and after") {
  playing_session p;
  p.enter("(part :piano (measure (note c4 :w)))");
  caf::scoped_actor self{p.sys, true};
  session_actor session;
  self->request(p.runtime.sessions(), testing::patience, atom::find_v, std::string{"test"})
      .receive([&](session_ref& r) { session = r.actor; }, [](caf::error&) {});
  remote_evaluation what;
  what.text = "(replace (measures 1) (measure (note a4 :w)))";
  what.source = client;
  what.always_propose = true;
  self->request(session, testing::patience, atom::propose_v, what)
      .receive([](remote_outcome&) {}, [](caf::error& e) { FAIL(detail_of(e).message); });
  CHECK(p.enter(":hear 1") == "playing before, measure 1; then after, measure 1 on Device piano");
  p.wait_for_notes(1);
  p.enter(":tempo 1000%");
  p.wait_for_notes(2);
  CHECK(p.keys_on() == std::vector<int>{60, 69});
}

TEST_CASE("a range is played from its first measure to the next time that its last one is") {
  midi::playback_plan plan;
  // Measures 1 2 1 2 3 with repeats, a second each.
  std::uint32_t played = 0;
  for (std::uint32_t measure : {0U, 1U, 0U, 1U, 2U}) {
    midi::playback_plan::bar bar;
    bar.measure = measure;
    bar.time = std::chrono::seconds{played++};
    plan.bars.push_back(bar);
  }
  plan.end = std::chrono::seconds{5};
  auto range = [&](int first, int last) {
    auto r = range_of_positions(plan, {first, last});
    REQUIRE(r);
    return std::pair{r->from / std::chrono::seconds{1}, r->to / std::chrono::seconds{1}};
  };
  CHECK(range(1, 2) == std::pair<std::int64_t, std::int64_t>{0, 2});
  CHECK(range(2, 3) == std::pair<std::int64_t, std::int64_t>{1, 5});
  CHECK(range(3, 3) == std::pair<std::int64_t, std::int64_t>{4, 5});
  CHECK(range(2, 2'147'483'647) == std::pair<std::int64_t, std::int64_t>{1, 5});
  CHECK_FALSE(range_of_positions(plan, {7, 9}));
}

}  // namespace fermata::actors::player_test
