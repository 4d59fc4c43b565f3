#include "midi/transport/transport_thread.hpp"

#include "tests/midi/transport/player.hpp"

#include <catch2/catch.hpp>

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace fermata::midi::transport_thread_test {

using namespace testing;
using namespace std::chrono_literals;

namespace {

/// A port that records what it is sent, can be lost, and can keep its sender waiting.
class recording_port final : public output_port {
public:
  explicit recording_port(std::chrono::nanoseconds look_ahead = {}) : look_ahead_(look_ahead) {}

  bool send(std::uint8_t group, std::span<const std::uint8_t> message,
            steady_time due) noexcept override {
    std::unique_lock lock{mutex_};
    heard_.send(group, message, due);
    is_open_.wait(lock, [this] { return !closed_; });
    return takes_;
  }
  std::chrono::nanoseconds look_ahead() const noexcept override { return look_ahead_; }
  bool is_alive() const noexcept override { return alive_; }

  void lose() { alive_ = false; }
  /// From now on `send` does not come back until `open`.
  void close() { set(closed_, true); }
  void open() { set(closed_, false); }
  /// From now on nothing is taken, as if its queue was full.
  void refuse() { set(takes_, false); }
  receiver heard() {
    std::lock_guard lock{mutex_};
    return heard_;
  }

private:
  void set(bool& what, bool value) {
    std::lock_guard lock{mutex_};
    what = value;
    is_open_.notify_all();
  }

  std::mutex mutex_;
  std::condition_variable is_open_;
  receiver heard_;
  bool closed_ = false, takes_ = true;
  std::atomic<bool> alive_{true};
  std::chrono::nanoseconds look_ahead_;
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
  playback_options slow;
  slow.tempo = .1;
  transport.post(transport_command::play{1, plan_of(*one_part({"c4:w", "d4:w"})), slow});
  while (first->heard().heard() < 1)
    std::this_thread::yield();
  first->lose();
  REQUIRE(log.wait_for<transport_event::port_lost>());
  transport.post(transport_command::attach{second});
  REQUIRE(log.wait_for<transport_event::port_released>([&](auto& e) { return e.port == first; }));
  transport.post(transport_command::set_tempo{10});
  REQUIRE(log.wait_for<transport_event::ended>());
  CHECK(keys(first->heard()) == "60");
  // The note that is held, and the rest.
  CHECK(keys(second->heard()) == "60 62");
  CHECK(second->heard().heard() == 0);
}

TEST_CASE("commands of several threads are all done, those of each in its order") {
  auto port = std::make_shared<recording_port>();
  event_log log;
  constexpr int count = 2'000;
  {
    transport_thread transport{[&](transport_event_t e) { log.put(std::move(e)); }};
    transport.post(transport_command::attach{port});
    std::vector<std::thread> senders;
    for (std::uint8_t t = 0; t < 4; ++t)
      senders.emplace_back([&, t] {
        for (int i = 0; i < count; ++i) {
          auto number = std::array{static_cast<std::uint8_t>(i / 127),
                                   static_cast<std::uint8_t>(i % 127 + 1)};
          transport_command::send on{0, {std::uint8_t(0x90 | t), number[0], number[1]}};
          while (!transport.post(on))
            std::this_thread::yield();
        }
      });
    for (auto& s : senders)
      s.join();
    // What was posted before it is done before it.
    while (!transport.post(transport_command::play{1, plan_of(*one_part({"c4:q"})), fast()}))
      std::this_thread::yield();
    REQUIRE(log.wait_for<transport_event::ended>());
  }
  auto heard = port->heard();
  CHECK(heard.heard() == 0);
  std::array<int, 4> next{};
  int out_of_order = 0;
  for (auto& m : heard.all) {
    auto channel = static_cast<std::size_t>(m.bytes[0] & 0x0F);
    if ((m.bytes[0] & 0xF0) != 0x90 || channel >= next.size() || next[channel] == count) continue;
    out_of_order += m.bytes[1] * 127 + m.bytes[2] - 1 == next[channel]++ ? 0 : 1;
  }
  CHECK(next == std::array{count, count, count, count});
  CHECK(out_of_order == 0);
}

TEST_CASE("a thousand commands may wait, and the rest is refused") {
  auto port = std::make_shared<recording_port>();
  event_log log;
  transport_thread transport{[&](transport_event_t e) { log.put(std::move(e)); }};
  transport.post(transport_command::attach{port});
  port->close();
  transport_command::send note{0, {0x90, 60, 64}};
  REQUIRE(transport.post(note));
  while (port->heard().all.empty())
    std::this_thread::yield();
  // The thread is in `send` now and takes no command.
  int taken = 0;
  while (taken < 5'000 && transport.post(note))
    ++taken;
  CHECK(taken >= 1'000);
  CHECK(taken < 5'000);
  port->open();
  while (!transport.post(transport_command::stop{}))
    std::this_thread::yield();
  while (!transport.post(transport_command::attach{nullptr}))
    std::this_thread::yield();
  REQUIRE(log.wait_for<transport_event::port_released>());
  auto heard = port->heard();
  CHECK(std::count_if(heard.all.begin(), heard.all.end(),
                      [](auto& m) { return m.bytes[0] == 0x90; }) == taken + 1);
  CHECK(heard.heard() == 0);
}

TEST_CASE("messages that the port does not take are counted") {
  auto port = std::make_shared<recording_port>();
  port->refuse();
  event_log log;
  transport_thread transport{[&](transport_event_t e) { log.put(std::move(e)); }};
  transport.post(transport_command::attach{port});
  transport.post(transport_command::send{0, {0x90, 60, 64}});
  REQUIRE(log.wait_for<transport_event::messages_dropped>([](auto& e) { return e.count == 1; }));
}

TEST_CASE("a port with a look-ahead is sent everything, ahead of time and in order") {
  auto port = std::make_shared<recording_port>(50ms);
  event_log log;
  transport_thread transport{[&](transport_event_t e) { log.put(std::move(e)); }};
  transport.post(transport_command::attach{port});
  transport.post(transport_command::play{1, plan_of(*one_part({"c4:s d4:s e4:s f4:s"})), {}});
  REQUIRE(log.wait_for<transport_event::ended>());
  auto heard = port->heard();
  CHECK(keys(heard) == "60 62 64 65");
  CHECK(heard.in_order);
  CHECK(heard.heard() == 0);
  std::vector<std::chrono::nanoseconds> due;
  for (auto& m : heard.all)
    if ((m.bytes[0] & 0xF0) == 0x90) due.push_back(m.at);
  REQUIRE(due.size() == 4);
  // Sixteenths at 120 quarter notes a minute: the due times are exact, whenever they were sent.
  CHECK(due[1] - due[0] == 125ms);
  CHECK(due[3] - due[0] == 375ms);
}

TEST_CASE("many messages at once are all sent") {
  auto plan = std::make_shared<playback_plan>();
  constexpr std::size_t count = 200'000;
  for (std::size_t i = 0; i < count; ++i) {
    playback_plan::event e;
    e.bytes[0] = i % 2 == 0 ? 0x90 : 0x80;
    e.bytes[1] = static_cast<std::uint8_t>(i / 2 % 128);
    e.bytes[2] = 64;
    plan->events.push_back(e);
  }
  auto port = std::make_shared<recording_port>();
  event_log log;
  transport_thread transport{[&](transport_event_t e) { log.put(std::move(e)); }};
  transport.post(transport_command::attach{port});
  transport.post(transport_command::play{1, plan, {}});
  REQUIRE(log.wait_for<transport_event::ended>());
  auto heard = port->heard();
  CHECK(std::count_if(heard.all.begin(), heard.all.end(), [](auto& m) {
          return (m.bytes[0] & 0xE0) == 0x80;
        }) == static_cast<std::ptrdiff_t>(count));
  CHECK(heard.heard() == 0);
}

TEST_CASE("an edited score is taken over while it plays") {
  auto original = plan_of(*one_part({"c4:w", "d4:w"}));
  auto edited = plan_of(*one_part({"c4:w", "e4:w"}), original);
  auto port = std::make_shared<recording_port>();
  event_log log;
  transport_thread transport{[&](transport_event_t e) { log.put(std::move(e)); }};
  transport.post(transport_command::attach{port});
  // Paused in the first measure, so that the edit is there before the second one.
  transport.post(transport_command::play{3, original, {}});
  transport.post(transport_command::pause{});
  transport.post(transport_command::exchange{3, edited});
  transport.post(transport_command::set_tempo{10});
  transport.post(transport_command::resume{});
  std::weak_ptr<const playback_plan> left = original;
  original.reset();
  REQUIRE(log.wait_for<transport_event::ended>([](auto& e) { return e.id == 3; }));
  CHECK(keys(port->heard()).substr(keys(port->heard()).size() - 2) == "64");
  REQUIRE(log.wait_for<transport_event::moved>([](auto& e) { return e.where.exchanges == 1; }));
  // It was destroyed by the thread that passes events on, before it told of the end.
  CHECK(left.expired());
}

TEST_CASE("a thread without anything to do ends") {
  event_log log;
  {
    transport_thread transport{[&](transport_event_t e) { log.put(std::move(e)); }};
  }
  auto port = std::make_shared<recording_port>();
  {
    transport_thread transport{[&](transport_event_t e) { log.put(std::move(e)); }};
    transport.post(transport_command::attach{port});
    transport.post(transport_command::pause{});
    transport.post(transport_command::resume{});
    transport.post(transport_command::seek{1s});
    transport.post(transport_command::set_tempo{0});
    transport.post(transport_command::exchange{});
    transport.post(transport_command::play{});
    transport.post(transport_command::panic{});
  }
  CHECK(port->heard().heard() == 0);
}

}  // namespace fermata::midi::transport_thread_test
