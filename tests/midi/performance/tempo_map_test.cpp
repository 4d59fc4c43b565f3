#include "midi/performance/tempo_map.hpp"

#include <catch2/catch.hpp>

namespace fermata::midi::tempo_map_test {

using std::chrono::nanoseconds;

TEST_CASE("without a tempo a quarter note lasts half a second") {
  // Standard MIDI Files 1.0: 120 beats per minute where no tempo is said.
  tempo_map map;
  CHECK(map.time_at(quarters{1}) == nanoseconds{500'000'000});
  CHECK(map.time_at(quarters{rational{1, 3}}) == nanoseconds{166'666'667});
  CHECK(map.time_at(quarters{-1}) == nanoseconds{0});
}

TEST_CASE("time adds up over changes of tempo") {
  // 4 quarters of 0.5 s, then 2 of 1 s.
  tempo_map map{{{quarters{0}, 500'000}, {quarters{4}, 1'000'000}}};
  CHECK(map.time_at(quarters{4}) == nanoseconds{2'000'000'000});
  CHECK(map.time_at(quarters{6}) == nanoseconds{4'000'000'000});
  CHECK(map.quarters_at(nanoseconds{4'000'000'000}) == Approx(6));
  CHECK(map.quarters_at(nanoseconds{1'000'000'000}) == Approx(2));
  CHECK(map.microseconds_per_quarter_at(quarters{rational{7, 2}}) == 500'000);
  CHECK(map.microseconds_per_quarter_at(quarters{4}) == 1'000'000);
}

TEST_CASE("time stops before it overflows") {
  // 6,000 seconds for a quarter note, 0.01 per minute: 10^13 of them are 1.9 billion years.
  tempo_map map{{{quarters{0}, 6'000'000'000}, {quarters{1'000'000'000'000}, 500'000}}};
  CHECK(map.time_at(quarters{1}) == std::chrono::seconds{6000});
  CHECK(map.time_at(quarters{10'000'000'000'000}) == nanoseconds::max());
}

TEST_CASE("of two tempos at one place the last one holds") {
  tempo_map map{{{quarters{2}, 400'000}, {quarters{2}, 600'000}}};
  REQUIRE(map.steps().size() == 2);
  CHECK(map.steps()[1] == tempo_map::step{quarters{2}, 600'000});
}

TEST_CASE("a tempo that does not change anything is left out") {
  CHECK(tempo_map{{{quarters{2}, 500'000}}}.steps().size() == 1);
  CHECK(tempo_map{{{quarters{2}, 400'000}, {quarters{2}, 500'000}}} == tempo_map{});
}

}  // namespace fermata::midi::tempo_map_test
