#include "midi/transcription/rhythm_model.hpp"

#include <catch2/catch.hpp>

#include <cmath>

namespace fermata::midi::rhythm_model_test {

namespace {

constexpr auto full = rhythm_model::texture::full;
constexpr int contexts = rhythm_model::divisions * rhythm_model::advances;

double sum_of(std::span<const rhythm_model::step> steps) {
  double sum = 0;
  for (auto& s : steps)
    sum += std::exp(static_cast<double>(s.log_probability));
  return sum;
}

/// Of the step so many ticks long; 0: there is none.
double probability(const rhythm_model& m, rhythm_model::context c, int position, int advance) {
  for (auto& s : m.steps(c, position))
    if (s.advance == advance) return std::exp(static_cast<double>(s.log_probability));
  return 0;
}

}  // namespace

TEST_CASE("metric levels are those of the textbooks") {
  using enum metric_level;
  constexpr counted_metre four_four{4, false}, three_four{3, false}, two_four{2, false},
      six_eight{2, true}, nine_eight{3, true}, five_four{5, false};
  CHECK(level_of(0, 0, four_four) == downbeat);
  CHECK(level_of(0, 1, four_four) == beat);
  CHECK(level_of(0, 2, four_four) == half_measure);
  CHECK(level_of(0, 1, two_four) == half_measure);
  CHECK(level_of(0, 1, three_four) == beat);
  CHECK(level_of(grid_of_eighth, 0, four_four) == eighth);
  CHECK(level_of(3 * grid_of_sixteenth, 3, four_four) == sixteenth);
  CHECK(level_of(grid_of_sixteenth / 2, 0, four_four) == finer);
  CHECK(level_of(grid_of_triplet, 0, four_four) == triplet);
  CHECK(level_of(2 * grid_of_quintuplet, 0, four_four) == finer);
  CHECK(level_of(0, 2, five_four) == beat);
  CHECK(level_of(0, 1, six_eight) == half_measure);
  CHECK(level_of(0, 2, nine_eight) == beat);
  CHECK(level_of(2 * grid_of_eighth, 1, six_eight) == eighth);
  CHECK(level_of(3 * grid_of_sixteenth, 1, six_eight) == sixteenth);
  CHECK(to_string(signature_of(nine_eight)) == "9/8");
  CHECK(to_string(signature_of(two_four)) == "2/4");
  CHECK(metre_called("5/4") == five_four);
  CHECK_FALSE(metre_called("7/8"));
  CHECK(nine_eight.measure_length() == 9 * grid_of_eighth);
}

TEST_CASE("the probabilities of what follows an onset add up to one, and every step leads on") {
  for (auto [is_compound, texture] :
       {std::pair{false, rhythm_model::texture::full}, std::pair{true, rhythm_model::texture::full},
        std::pair{false, rhythm_model::texture::single_line},
        std::pair{true, rhythm_model::texture::single_line}}) {
    rhythm_model m{is_compound, texture, {32, true, true}};
    auto beat = counted_metre{2, is_compound}.beat_length();
    for (int c = 0; c < contexts; ++c)
      for (int p = 0; p < beat; ++p) {
        auto steps = m.steps(static_cast<rhythm_model::context>(c), p);
        if (steps.empty()) continue;
        CAPTURE(is_compound, c, p);
        CHECK(sum_of(steps) == Approx(1).epsilon(.05));
        for (auto& s : steps) {
          CHECK(s.advance > 0);
          CHECK_FALSE(m.steps(s.next, (p + s.advance) % beat).empty());
        }
      }
  }
}

TEST_CASE("a rhythm goes on as it was") {
  rhythm_model m{false, full, {}};
  // After eighths another one, after triplets another one.
  rhythm_model::context after_eighths = m.start, after_triplets = m.start;
  for (auto [context, advance] :
       {std::pair{&after_eighths, grid_of_eighth}, std::pair{&after_triplets, grid_of_triplet}})
    for (int i = 0, p = 0; i < 6; ++i) {
      auto found = false;
      for (auto& s : m.steps(*context, p))
        if (s.advance == advance) {
          *context = s.next;
          p = (p + advance) % grid_of_quarter;
          found = true;
          break;
        }
      REQUIRE(found);
    }
  CHECK(probability(m, after_eighths, 0, grid_of_eighth) > .5);
  CHECK(probability(m, after_eighths, 0, grid_of_triplet) < .1);
  CHECK(probability(m, after_triplets, 0, grid_of_triplet) > .5);
  CHECK(probability(m, after_triplets, 0, grid_of_sixteenth) < .1);
}

TEST_CASE("a coarser grid has no finer positions") {
  rhythm_model sixteenths{false, full, {16, true}}, straight{false, full, {32, false}},
      eighths{true, full, {8, true}};
  CHECK_FALSE(sixteenths.has_position(grid_of_sixteenth / 2));
  CHECK(sixteenths.has_position(grid_of_sixteenth));
  CHECK(sixteenths.has_position(grid_of_triplet));
  CHECK(straight.has_position(grid_of_sixteenth / 2));
  CHECK_FALSE(straight.has_position(grid_of_triplet));
  CHECK_FALSE(straight.has_position(grid_of_quintuplet));
  CHECK(eighths.has_position(grid_of_eighth));
  CHECK_FALSE(eighths.has_position(3 * grid_of_sixteenth));
}

}  // namespace fermata::midi::rhythm_model_test
