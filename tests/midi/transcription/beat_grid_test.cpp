#include "midi/transcription/beat_grid.hpp"

#include <catch2/catch.hpp>

namespace fermata::midi::beat_grid_test {

using namespace std::chrono_literals;

constexpr counted_metre four_four{4, false}, six_eight{2, true};

TEST_CASE("a metronome gives every time a position, also before it begins") {
  auto grid = beat_grid::steady(2s, .5);
  CHECK(grid.position_at(2s) == Approx(0).margin(1e-9));
  CHECK(grid.position_at(3s) == Approx(2 * grid_of_quarter));
  CHECK(grid.position_at(1750ms) == Approx(-.5 * grid_of_quarter));
  CHECK(grid.position_at(3'602s) == Approx(7'200 * grid_of_quarter));
  CHECK(grid.quarter_seconds_at(1s) == Approx(.5));
}

TEST_CASE("between beats that are not even time passes evenly, and at the ends as beside them") {
  auto grid = beat_grid::of_beats({1s, 2s, 2500ms}, four_four);
  REQUIRE(grid);
  CHECK(grid->position_at(500ms) == Approx(-.5 * grid_of_quarter));
  CHECK(grid->position_at(1500ms) == Approx(.5 * grid_of_quarter));
  CHECK(grid->position_at(2s) == Approx(grid_of_quarter));
  CHECK(grid->position_at(2250ms) == Approx(1.5 * grid_of_quarter));
  CHECK(grid->position_at(3s) == Approx(3 * grid_of_quarter));
  CHECK(grid->quarter_seconds_at(1500ms) == Approx(1));
  CHECK(grid->quarter_seconds_at(9s) == Approx(.5));
}

TEST_CASE("beats of a compound metre are dotted quarters") {
  auto grid = beat_grid::of_beats({0s, 600ms}, six_eight);
  REQUIRE(grid);
  CHECK(grid->position_at(600ms) == Approx(1.5 * grid_of_quarter));
  CHECK(grid->quarter_seconds_at(0s) == Approx(.4));
}

TEST_CASE("fewer than two beats, and beats out of order, are errors") {
  CHECK_FALSE(beat_grid::of_beats({}, four_four));
  CHECK_FALSE(beat_grid::of_beats({1s}, four_four));
  auto grid = beat_grid::of_beats({1s, 2s, 2s}, four_four);
  REQUIRE_FALSE(grid);
  CHECK(grid.error().first().message == "beat 3 is not later than the one before it");
}

}  // namespace fermata::midi::beat_grid_test
