#include "midi/transport/transport_thread.hpp"

#include "tests/midi/performance/heard.hpp"
#include "tests/midi/transport/receiver.hpp"

#include <catch2/catch.hpp>

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace fermata::midi::transport_thread_test {

using namespace testing;
using namespace std::chrono_literals;

namespace {

/// A port that records what it is sent, and can be lost.
class recording_port final : public output_port {
public:
  bool send(std::uint8_t group, std::span<const std::uint8_t> message,
            steady_time due) noexcept override {
    std::lock_guard lock{mutex_};
    heard_.send(group, message, due);
    return true;
  }
  std::chrono::nanoseconds look_ahead() const noexcept override { return 0ns; }
  bool is_alive() const noexcept override { return alive_; }

  void lose() { alive_ = false; }
  receiver heard() {
    std::lock_guard lock{mutex_};
    return heard_;
  }

private:
  std::mutex mutex_;
  receiver heard_;
  std::atomic<bool> alive_{true};
};

/// The events of a transport, for a test that waits for one of them.
class event_log {
public:
  void put(transport_event_t e) {
    std::lock_guard lock{mutex_};
    events_.push_back(std::move(e));
    changed_.notify_all();
  }
  template <class Event, class Predicate>
  bool wait_for(Predicate is_wanted) {
    std::unique_lock lock{mutex_};
    return changed_.wait_for(lock, 20s, [&] {
      for (auto& e : events_)
        if (auto x = std::get_if<Event>(&e); x && is_wanted(*x)) return true;
      return false;
    });
  }
  template <class Event>
  bool wait_for() {
    return wait_for<Event>([](auto&) { return true; });
  }

private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<transport_event_t> events_;
};

playback_plan_ptr plan_of(const score& s) {
  auto plan = playback_plan_of(s, exact());
  if (!plan) throw std::logic_error(plan.error().first().message);
  return *plan;
}

playback_options fast() {
  playback_options o;
  o.tempo = 10;
  return o;
}

std::string keys(const receiver& r) {
  std::string text;
  for (auto& m : r.all)
    if ((m.bytes[0] & 0xF0) == 0x90) text += (text.empty() ? "" : " ") + std::to_string(m.bytes[1]);
  return text;
}

}  // namespace

TEST_CASE("the thread plays all notes in order and says when it is done") {
  auto port = std::make_shared<recording_port>();
  event_log log;
  transport_thread transport{[&](transport_event_t e) { log.put(std::move(e)); }};
  REQUIRE(transport.post(transport_command::attach{port}));
  REQUIRE(transport.post(
      transport_command::play{7, plan_of(*one_part({"c4:q d4:q e4:q f4:q"})), fast()}));
  REQUIRE(log.wait_for<transport_event::ended>([](auto& e) { return e.id == 7; }));
  auto heard = port->heard();
  CHECK(keys(heard) == "60 62 64 65");
  CHECK(heard.in_order);
  CHECK(heard.heard() == 0);
}

TEST_CASE("nothing sounds after the thread has ended, nor after a stop") {
  auto piece = plan_of(*one_part({"<c4_e4_g4>:w"}));
  auto port = std::make_shared<recording_port>();
  {
    event_log log;
    transport_thread transport{[&](transport_event_t e) { log.put(std::move(e)); }};
    transport.post(transport_command::attach{port});
    transport.post(transport_command::play{1, piece, {}});
    REQUIRE(log.wait_for<transport_event::moved>(
        [](auto& e) { return e.where.state == transport_position::state_t::playing; }));
    while (port->heard().heard() < 3)
      std::this_thread::yield();
    transport.post(transport_command::stop{});
    REQUIRE(log.wait_for<transport_event::moved>(
        [](auto& e) { return e.where.state == transport_position::state_t::stopped; }));
    CHECK(port->heard().heard() == 0);
    transport.post(transport_command::play{2, piece, {}});
    while (port->heard().heard() < 3)
      std::this_thread::yield();
  }
  CHECK(port->heard().heard() == 0);
}

TEST_CASE("a lost port is reported, and the next one gets the rest") {
  auto first = std::make_shared<recording_port>(), second = std::make_shared<recording_port>();
  event_log log;
  transport_thread transport{[&](transport_event_t e) { log.put(std::move(e)); }};
  transport.post(transport_command::attach{first});
  transport.post(transport_command::play{1, plan_of(*one_part({"c4:w", "d4:w"})), {}});
  while (first->heard().heard() < 1)
    std::this_thread::yield();
  first->lose();
  REQUIRE(log.wait_for<transport_event::port_lost>());
  transport.post(transport_command::set_tempo{10});
  transport.post(transport_command::attach{second});
  REQUIRE(log.wait_for<transport_event::port_released>([&](auto& e) { return e.port == first; }));
  REQUIRE(log.wait_for<transport_event::ended>());
  CHECK(keys(first->heard()) == "60");
  CHECK(keys(second->heard()) == "62");
  CHECK(second->heard().heard() == 0);
}

TEST_CASE("commands of several threads are all done, and too many are refused") {
  auto port = std::make_shared<recording_port>();
  event_log log;
  std::atomic<int> taken{0};
  {
    transport_thread transport{[&](transport_event_t e) { log.put(std::move(e)); }};
    transport.post(transport_command::attach{port});
    std::vector<std::thread> senders;
    for (std::uint8_t t = 0; t < 4; ++t)
      senders.emplace_back([&, t] {
        for (int i = 0; i < 2'000; ++i) {
          auto key = static_cast<std::uint8_t>(i % 128);
          std::vector<std::uint8_t> on{static_cast<std::uint8_t>(0x90 | t), key, 1};
          if (transport.post(transport_command::send{0, std::move(on)})) ++taken;
        }
      });
    for (auto& s : senders)
      s.join();
    transport.post(transport_command::panic{});
    // What was posted before a `play` is done before it.
    while (!transport.post(transport_command::play{1, plan_of(*one_part({"c4:q"})), fast()}))
      std::this_thread::yield();
    REQUIRE(log.wait_for<transport_event::ended>());
  }
  auto heard = port->heard();
  int ons = 0;
  for (auto& m : heard.all)
    ons += (m.bytes[0] & 0xF0) == 0x90 && m.bytes[2] == 1 ? 1 : 0;
  CHECK(ons == taken);
  CHECK(heard.heard() == 0);
}

}  // namespace fermata::midi::transport_thread_test
