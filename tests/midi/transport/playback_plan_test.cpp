#include "midi/transport/playback_plan.hpp"

#include "tests/midi/transport/player.hpp"

#include <catch2/catch.hpp>

#include <map>
#include <random>
#include <tuple>

namespace fermata::midi::playback_plan_test {

using namespace testing;
using namespace std::chrono_literals;

namespace {

/// "milliseconds:number" of each beat.
std::string beats(const score& s) {
  auto plan = plan_of(s);
  std::string text;
  for (auto& beat : plan->beats)
    text += fmt::format("{}{}:{}", text.empty() ? "" : " ", beat.time / 1ms, beat.number);
  return text;
}

std::string beats(const char* notes, int count, int type) {
  return beats(*one_part({notes}, count, type));
}

/// "milliseconds:number/pass" of each bar.
std::string bars(const score& s) {
  auto plan = plan_of(s);
  std::string text;
  for (auto& b : plan->bars)
    text += fmt::format("{}{}:{}/{}", text.empty() ? "" : " ", b.time / 1ms, b.number, b.pass);
  return text;
}

}  // namespace

TEST_CASE("beats are those that are conducted") {
  CHECK(beats("c4:w", 4, 4) == "0:1 500:2 1000:3 1500:4");
  CHECK(beats("c4:w", 2, 2) == "0:1 1000:2");
  CHECK(beats("c4:h.", 3, 4) == "0:1 500:2 1000:3");
  CHECK(beats("c4:q.", 3, 8) == "0:1 250:2 500:3");
  CHECK(beats("c4:h.", 6, 8) == "0:1 750:2");
  CHECK(beats("c4:w c4:e", 9, 8) == "0:1 750:2 1500:3");
  CHECK(beats("c4:h c4:e", 5, 8) == "0:1 250:2 500:3 750:4 1000:5");
  CHECK(beats("c4:w c4:h", 6, 4) == "0:1 500:2 1000:3 1500:4 2000:5 2500:6");
}

TEST_CASE("a pickup has the last beats of its measure") {
  auto first = bar("c4:q", "0");
  first.implicit = true;
  lead(first, with_time(3, 4));
  CHECK(beats(*make_score({make_part({first, bar("d4:h.", "1")})})) == "0:3 500:1 1000:2 1500:3");
  // A first measure that is only not full yet is none.
  CHECK(beats("c4:q", 3, 4) == "0:1");
}

TEST_CASE("bars say which measure is played, and which time through the repeat") {
  auto s = make_score({make_part({repeated(bar("c4:w")), bar("d4:w", "2")})});
  CHECK(bars(*s) == "0:1/1 2000:1/2 4000:2/1");
  auto plan = plan_of(*s);
  CHECK(plan->end == 6s);
  CHECK(bar_of_measure(*plan, "2") == std::size_t{2});
  CHECK_FALSE(bar_of_measure(*plan, "3"));
  CHECK(bar_at(*plan, 0ms) == 0);
  CHECK(bar_at(*plan, 3'999ms) == 1);
  CHECK(bar_at(*plan, 4s) == 2);
}

TEST_CASE("a range goes from the first time that its first measure is played") {
  auto plan = plan_of(*make_score({make_part({repeated(bar("c4:w")), bar("d4:w", "2")})}));
  auto range = [&](const char* first, const char* last) {
    auto found = range_of_measures(*plan, first, last);
    return found ? fmt::format("{}..{}", found->from / 1s, found->to / 1s) : "none";
  };
  CHECK(range("1", "1") == "0..2");
  CHECK(range("1", "2") == "0..6");
  CHECK(range("2", "") == "4..6");
  CHECK(range("", "") == "0..6");
  CHECK(range("2", "1") == "none");
  CHECK(range("", "7") == "none");
}

TEST_CASE("the channels' state at any event is what the events before it have set") {
  std::mt19937 random{11};
  auto pick = [&](int n) { return static_cast<std::uint8_t>(random() % static_cast<unsigned>(n)); };
  playback_plan plan;
  // Of what has one value for each channel: program, pressure, bend and some controllers.
  constexpr std::uint8_t numbers[] = {1, 7, 10, 11, 64};
  channel_states running;
  for (std::size_t i = 0; i < 3 * playback_plan::state_step + 100; ++i) {
    if (i % playback_plan::state_step == 0) plan.states.push_back(running);
    playback_plan::event e;
    e.time = std::chrono::nanoseconds{static_cast<std::int64_t>(i)};
    e.port = pick(3);
    constexpr std::uint8_t kinds[] = {0x80, 0x90, 0xB0, 0xC0, 0xD0, 0xE0};
    auto kind = kinds[pick(6)];
    e.bytes[0] = kind | pick(16);
    e.bytes[1] = kind == 0xB0 ? numbers[pick(5)] : pick(128);
    e.bytes[2] = pick(128);
    e.size = kind == 0xC0 || kind == 0xD0 ? 2 : 3;
    running.apply(e.port, {e.bytes, e.size});
    plan.events.push_back(e);
  }
  using values = std::map<std::tuple<int, int, int>, std::vector<std::uint8_t>>;
  auto set = [](values& v, int group, const std::uint8_t* bytes, std::size_t size) {
    if (bytes[0] >= 0xB0)
      v[{group, bytes[0], bytes[0] < 0xC0 ? bytes[1] : 0}] = {bytes, bytes + size};
  };
  for (int i = 0; i < 20; ++i) {
    auto at = i < 4 ? static_cast<std::size_t>(i) * playback_plan::state_step
                    : random() % plan.events.size();
    values expected, restored;
    for (std::size_t k = 0; k < at; ++k)
      set(expected, plan.events[k].port, plan.events[k].bytes, plan.events[k].size);
    receiver out;
    state_before(plan, at).send(out, out.zero);
    for (auto& m : out.all)
      set(restored, m.group, m.bytes.data(), m.bytes.size());
    CHECK(restored == expected);
    CHECK(out.all.size() == expected.size());
  }
}

TEST_CASE("parts without a channel of the device are named") {
  playback_plan plan;
  // Part 2 has a channel within the first sixteen and one beyond, parts 3 and 4 have none within.
  plan.channels = {{0, 0, 0}, {0, 1, 1}, {0, 2, 2}, {1, 0, 2}, {1, 1, 3}, {2, 0, 4}};
  CHECK(parts_beyond(plan, 1) == std::vector<std::uint32_t>{3, 4});
  CHECK(parts_beyond(plan, 2) == std::vector<std::uint32_t>{4});
  CHECK(parts_beyond(plan, 3).empty());
}

TEST_CASE("there are notes where one begins or is held, in a part that is not silent") {
  auto plan = plan_of(*one_part({"c4:w", "r:w", "d4:w"}));
  CHECK(has_notes(*plan, {0s, 6s}, {}));
  CHECK(has_notes(*plan, {1s, 2s}, {}));  // held
  CHECK_FALSE(has_notes(*plan, {2s, 4s}, {}));
  CHECK(has_notes(*plan, {2s, 5s}, {}));
  CHECK_FALSE(has_notes(*plan, {0s, 6s}, {true}));
  CHECK_FALSE(has_notes(*plan_of(*one_part({"r:w"})), {0s, 2s}, {}));
}

TEST_CASE("the notes held at a time are found across the whole plan, without percussion") {
  constexpr std::size_t count = 40'000;
  playback_plan plan;
  std::vector<std::uint32_t> held;
  held.reserve(8);
  auto add = [&](std::chrono::nanoseconds time, std::uint8_t status, std::uint8_t key) {
    playback_plan::event e;
    e.time = time;
    e.bytes[0] = status;
    e.bytes[1] = key;
    e.bytes[2] = 64;
    plan.events.push_back(e);
  };
  add(0ms, 0x90, 60);
  add(0ms, 0x99, 36);
  add(0ms, 0x91, 60);
  for (std::size_t i = 0; i < count; i += 2) {
    add(std::chrono::milliseconds{i}, 0x90, 72);
    add(std::chrono::milliseconds{i + 1}, 0x80, 72);
  }
  add(std::chrono::milliseconds{count}, 0x80, 60);
  add(std::chrono::milliseconds{count}, 0x81, 60);
  add(std::chrono::milliseconds{count}, 0x89, 36);
  // Before every so many events, as in the plan of a score.
  for (std::size_t i = 0; i < plan.events.size(); i += playback_plan::state_step)
    plan.held.push_back(i == 0 ? std::vector<std::uint32_t>{} : std::vector<std::uint32_t>{0, 2});
  for (auto time : {1ms, 16'000ms, 39'000ms}) {
    held_at(plan, time, held);
    CHECK(held == std::vector<std::uint32_t>{0, 2});
  }
  held_at(plan, 39'980ms, held);
  CHECK(held.empty());
  std::vector<std::uint32_t> one;
  one.reserve(1);
  held_at(plan, 1s, one);
  CHECK(one == std::vector<std::uint32_t>{0});
}

}  // namespace fermata::midi::playback_plan_test
