#include "midi/ports/jack_clock.hpp"

#include <catch2/catch.hpp>

#include <cstdlib>
#include <random>

namespace fermata::midi::jack_clock_test {

namespace {

/// The largest error, in microseconds, of times computed for the frames of a server whose clock
/// runs `drift` millionths slower than ours, after the first second. Cycles begin up to 0.1 ms
/// late.
std::int64_t largest_error(double drift, std::int64_t cycle, std::int64_t seconds,
                           std::int64_t ahead = 0) {
  clock_offset offset;
  std::mt19937 random{1};
  std::uniform_int_distribution<std::int64_t> late{0, 100};
  std::int64_t largest = 0;
  for (std::int64_t t = 0; t < seconds * 1'000'000; t += cycle) {
    auto first = static_cast<std::int64_t>(static_cast<double>(t) * (1 - drift * 1e-6)) + ahead;
    offset.observe(t + late(random), first, cycle);
    if (t > 1'000'000) largest = std::max(largest, std::abs(first + offset.value() - t));
  }
  return largest;
}

}  // namespace

TEST_CASE("a server's clock that drifts is followed, at all sizes of periods") {
  for (auto drift : {-100., -40., 0., 20., 40., 100.})
    for (std::int64_t cycle : {1'333, 2'667, 21'333, 42'667, 85'333}) {
      INFO(drift << " millionths, cycles of " << cycle << " us");
      // 500 millionths in the few cycles in which all begin late, and the lateness itself.
      CHECK(largest_error(drift, cycle, 20'000) <= 100 + cycle / 200);
    }
}

TEST_CASE("a server's clock may be far away") {
  CHECK(largest_error(0, 2'667, 10, 1'000'000'000) <= 113);
  CHECK(largest_error(0, 2'667, 10, -1'000'000'000) <= 113);
}

TEST_CASE("a server that loses time and makes up is behind meanwhile, and not measured anew") {
  clock_offset offset;
  std::int64_t now = 0;
  auto cycles = [&](int count, std::int64_t lost) {
    for (int i = 0; i < count; ++i, now += 2'667)
      offset.observe(now, now - lost, 2'667);
  };
  cycles(100, 0);
  CHECK_FALSE(offset.is_behind());
  cycles(100, 50'000);
  CHECK(offset.is_behind());
  CHECK(offset.value() <= 100 * 2'667 / 2'000 + 1);
  cycles(1, 0);
  CHECK_FALSE(offset.is_behind());
  CHECK(offset.value() == 0);
}

TEST_CASE("a server that does not make up is measured anew after five seconds") {
  clock_offset offset;
  std::int64_t now = 0;
  auto last_for = [&](std::int64_t microseconds, std::int64_t lost) {
    for (auto end = now + microseconds; now < end; now += 2'667)
      offset.observe(now, now - lost, 2'667);
  };
  last_for(1'000'000, 0);
  last_for(4'900'000, 50'000);
  CHECK(offset.is_behind());
  last_for(200'000, 50'000);
  CHECK_FALSE(offset.is_behind());
  CHECK(offset.value() == 50'000);
}

}  // namespace fermata::midi::jack_clock_test
