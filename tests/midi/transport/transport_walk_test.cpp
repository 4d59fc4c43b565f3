#include "midi/transport/transport_engine.hpp"
#include "tests/midi/transport/player.hpp"

#include <catch2/catch.hpp>

#include <list>
#include <random>

namespace fermata::midi::transport_walk_test {

using namespace testing;
using namespace std::chrono_literals;

namespace {

/// A port that can be lost: messages then go nowhere, until there is a new one.
class port final : public message_sink {
public:
  void send(std::uint8_t group, std::span<const std::uint8_t> m,
            steady_time due) noexcept override {
    if (!lost) receivers.back().send(group, m, due);
  }
  receiver& now() { return receivers.back(); }
  std::list<receiver> receivers{1};
  bool lost = false;
};

struct pieces {
  playback_plan_ptr original, edited, longer;

  pieces() {
    auto pedalled = bar("<c4_e4>:h d4:q e4:q");
    put(pedalled, 0, pedal_mark("start"));
    put(pedalled, 3, pedal_mark("change"));
    auto released = bar("c5:q r:h.", "3");
    put(released, 2, pedal_mark("stop"));
    auto first = make_part({repeated(pedalled), bar("c5:w~", "2"), released});
    auto second = make_part({bar("c3:w"), bar("d3:e e3:e f3:q g3:h", "2"), bar("c3:w", "3")}, "P2");
    original = plan_of(*make_score({first, second}));
    edited = plan_of(*make_score({make_part({bar("g4:w"), bar("a4:h b4:h", "2")})}), original);
    longer = plan_of(
        *make_score({make_part({bar("b4:w"), pedalled, bar("c5:w~", "3"), released}), second}),
        original);
  }
};

/// One walk: whatever is done in whatever order.
class walk {
public:
  walk(const pieces& p, unsigned seed) : pieces_(p), random_(seed) {}

  void begin() {
    options_.loop = pick(3) == 0;
    options_.metronome = pick(3) == 0;
    options_.count_in = pick(4) == 0 ? 2 : 0;
    options_.clock = pick(4) == 0;
    if (pick(4) == 0) {
      options_.from = std::chrono::milliseconds{pick(3'000)};
      options_.to = options_.from + std::chrono::milliseconds{pick(3'000)};
    }
    play();
  }

  void step() {
    switch (pick(12)) {
      case 0: engine_.pause(at()), check_silence(); break;
      case 1: engine_.resume(at()); break;
      case 2: engine_.seek(std::chrono::milliseconds{pick(9'000)}, at()); break;
      case 3: engine_.set_tempo(0.25 + pick(8) * 0.25, at()); break;
      case 4: exchange(); break;
      case 5: silence_parts(); break;
      case 6: engine_.set_metronome(pick(2) == 0, at()); break;
      case 7: send_note(); break;
      case 8: play(); break;
      case 9: engine_.stop(at()), check_silence(); break;
      case 10: port_.lost = true; break;
      case 11: new_port(); break;
    }
    run_to(now_ + std::chrono::milliseconds{pick(900)});
    // Ahead of time, as for a port with look-ahead.
    if (pick(2) == 0) engine_.run(at(), at() + 10ms);
    if (engine_.take_ended()) check_silence();
    engine_.retired().clear();
  }

  void end() {
    if (port_.lost) new_port();
    if (pick(2) == 0) {
      engine_.stop(at());
    } else {
      engine_.panic(1, at());
      CHECK(port_.now().heard() == 0);
      engine_.stop(at());
    }
    check_silence();
    for (auto& r : port_.receivers)
      REQUIRE(r.in_order);
  }

private:
  int pick(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
  steady_time at() { return port_.now().zero + now_; }

  void check_silence() {
    if (engine_.position(at()).state == transport_position::state_t::playing) return;
    REQUIRE(engine_.sounding() == 0);
    // What sounds on a port that is lost cannot be ended.
    if (!port_.lost) REQUIRE(port_.now().heard() == 0);
  }
  void play() {
    transport_command::play command{1, pieces_.original, options_};
    engine_.play(command, at());
  }
  void exchange() {
    const playback_plan_ptr plans[] = {pieces_.original, pieces_.edited, pieces_.longer};
    transport_command::exchange command;
    command.id = 1;
    command.plan = plans[pick(3)];
    engine_.exchange(command);
  }
  void silence_parts() {
    std::vector<bool> silent{pick(2) == 0, pick(2) == 0};
    engine_.set_silent(silent, at());
  }
  void send_note() {
    // If nothing plays, nothing ends it but its note-off.
    if (engine_.position(at()).state != transport_position::state_t::playing) return;
    std::uint8_t note[] = {0x93, static_cast<std::uint8_t>(40 + pick(20)), 64};
    engine_.send(0, note, at());
  }
  void new_port() {
    engine_.leave_port(at());
    if (!port_.lost) REQUIRE(port_.now().heard() == 0);
    port_.receivers.emplace_back();
    port_.lost = false;
    engine_.enter_port(at());
  }
  void run_to(std::chrono::nanoseconds time) {
    for (auto due = engine_.next_due(); due && *due <= port_.now().zero + time;
         due = engine_.next_due()) {
      now_ = std::max(now_, *due - port_.now().zero);
      engine_.run(at(), at());
    }
    now_ = std::max(now_, time);
  }

  const pieces& pieces_;
  std::mt19937 random_;
  port port_;
  transport_engine engine_{port_};
  playback_options options_;
  std::chrono::nanoseconds now_{};
};

}  // namespace

TEST_CASE("whatever is done in whatever order, nothing sounds once it is stopped") {
  const pieces all;
  for (unsigned seed = 1; seed <= 2'500; ++seed) {
    INFO("seed " << seed);
    walk w{all, seed};
    w.begin();
    for (int i = 0; i < 14; ++i)
      w.step();
    w.end();
  }
}

}  // namespace fermata::midi::transport_walk_test
