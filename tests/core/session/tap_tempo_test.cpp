#include "core/session/commands/tap_tempo.hpp"

#include <catch2/catch.hpp>

using namespace fermata;
using namespace std::chrono_literals;

namespace {

std::optional<double> tempo_of(std::initializer_list<std::chrono::milliseconds> taps) {
  tap_tempo t;
  for (auto at : taps)
    t.tap(tap_tempo::time{} + at);
  return t.tempo();
}

}  // namespace

TEST_CASE("taps half a second apart are 120 beats a minute") {
  CHECK_FALSE(tempo_of({}));
  CHECK_FALSE(tempo_of({0ms}));
  CHECK(tempo_of({0ms, 500ms}).value() == Approx(120));
  CHECK(tempo_of({0ms, 500ms, 1000ms, 1500ms}).value() == Approx(120));
}

TEST_CASE("one uneven tap does not change the tempo") {
  // Gaps of 500, 500, 560, 440 and 500 ms.
  CHECK(tempo_of({0ms, 500ms, 1000ms, 1560ms, 2000ms, 2500ms}).value() == Approx(120));
}

TEST_CASE("missed and double taps are recognized") {
  CHECK(tempo_of({0ms, 500ms, 1000ms, 2000ms, 2500ms}).value() == Approx(120));
  CHECK(tempo_of({0ms, 500ms, 1000ms, 1250ms, 1500ms, 2000ms}).value() == Approx(120));
}

TEST_CASE("a pause begins anew") {
  CHECK(tempo_of({0ms, 500ms, 1000ms, 4000ms, 5000ms}).value() == Approx(60));
  tap_tempo t;
  t.tap(tap_tempo::time{});
  t.tap(tap_tempo::time{} + 1s);
  t.tap(tap_tempo::time{} + 4s);
  CHECK(t.taps() == 1);
  CHECK_FALSE(t.tempo());
}

TEST_CASE("a tempo that changes is followed by the last eight gaps") {
  tap_tempo t;
  auto at = tap_tempo::time{};
  for (int i = 0; i < 20; ++i)
    t.tap(at += 500ms);
  for (int i = 0; i < 8; ++i)
    t.tap(at += 600ms);
  CHECK(t.tempo().value() == Approx(100));
}

TEST_CASE("taps at one time count once") {
  CHECK_FALSE(tempo_of({0ms, 0ms, 0ms}));
  CHECK(tempo_of({0ms, 30ms, 500ms, 540ms, 1000ms}).value() == Approx(120));
}
